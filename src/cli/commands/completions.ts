import { completionScript, SHELLS } from "../complete/scripts.ts";
import { defineCommand } from "../command.ts";

export const command = defineCommand({
  description:
    "Prints a script that lets your shell complete commands, flags and values: kinds, languages, namespaces, settings, clients, folders and files.\n\nThe script runs svc for each completion, so it stays correct when svc is updated. docs/guide.md shows where to add it for each shell.",
  args: [
    {
      name: "shell",
      required: true,
      choices: SHELLS,
      description: "Shell that runs the script.",
    },
  ],
  examples: [
    { run: 'eval "$(svc completions bash)"', description: "For bash, in ~/.bashrc." },
    { run: "source <(svc completions zsh)", description: "For zsh, in ~/.zshrc, below compinit." },
    {
      run: "svc completions fish | source",
      description: "For fish, in ~/.config/fish/config.fish.",
    },
    {
      run: "svc completions powershell | Out-String | Invoke-Expression",
      description: "For PowerShell, in $PROFILE.",
    },
  ],
  run: ({ args }, { io }) => io.out(completionScript(args.shell)),
});
