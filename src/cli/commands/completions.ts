import { completionScript, SHELLS } from "../complete/scripts.ts";
import { defineCommand } from "../command.ts";

export const command = defineCommand({
  description:
    "Prints a script that has your shell complete commands, flags with what they are for, and their values: kinds, languages, your namespaces, settings, clients, folders and files.\n\nThe script asks svc each time, so it need not be renewed when svc is. docs/guide.md says where each shell wants it.",
  args: [
    {
      name: "shell",
      required: true,
      choices: SHELLS,
      description: "The shell.",
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
