// Runs a script as root in a copy of this machine's files, which discards all changes when the script ends.
import { spawnSync } from "node:child_process";

const COPY = `
mount -t tmpfs svc /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay svc -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount --bind /dev /mnt/root/dev
mkdir -p "/mnt/root$SHARED"
mount --bind "$SHARED" "/mnt/root$SHARED"
exec chroot /mnt/root bash -e -c "$SCRIPT"
`;

/** Returns what the script prints; throws if it fails. It sees the folder `shared` at its path. */
export function inCopiedSystem(script: string, shared: string): string {
  const path = "/usr/sbin:/usr/bin:/sbin:/bin";
  const run = spawnSync("unshare", ["--mount", "--pid", "--fork", "sh", "-e", "-c", COPY], {
    env: { PATH: path, HOME: "/root", SCRIPT: script, SHARED: shared },
    encoding: "utf8",
  });
  if (run.status === 0) return run.stdout;
  throw new Error(`the script ended with ${run.status} after "${run.stdout}": ${run.stderr}`);
}
