// The scripts that `svc completions` prints. They contain no commands: they run the hidden command `svc complete`, so
// that they stay correct when svc is updated.

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof SHELLS)[number];

// From bash 3.2 on, which is what macOS has.
const BASH = String.raw`# Completions of svc for bash. In ~/.bashrc: eval "$(svc completions bash)"
_svc() {
  local line kind= cur="\${COMP_WORDS[COMP_CWORD]}"
  [ "$cur" = "=" ] && cur=
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :*) kind="$line" ;;
      *) COMPREPLY+=("\${line%%$'\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]/#\~/$HOME}" complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [ -z "$kind" ] && return
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(if [ "$kind" = :folder ]; then compgen -d -- "$cur"; else compgen -f -- "$cur"; fi)
}
complete -F _svc svc
`;

const ZSH = String.raw`#compdef svc
# Completions of svc for zsh. In ~/.zshrc, below compinit: source <(svc completions zsh)
_svc() {
  local line kind=
  local -a offered
  for line in "\${(@f)$("\${words[1]/#\~/$HOME}" complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :*) kind="$line" ;;
      *) offered+=("\${\${line%%$'\t'*}//:/\\:}\${\${(M)line:#*$'\t'*}:+:\${line#*$'\t'}}") ;;
    esac
  done
  if [[ -n "$kind" ]]; then
    compset -P '--*='
    if [[ "$kind" == :folder ]]; then _files -/; else _files; fi
  elif (( $#offered )); then
    _describe -V svc offered
  fi
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;

const FISH = String.raw`# Completions of svc for fish. In ~/.config/fish/config.fish: svc completions fish | source
function __svc_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in ($program complete fish -- $words[2..] "$word" 2>/dev/null)
        switch $line
            case :folder
                __fish_complete_directories (string replace -r -- '^--[^=]*=' '' $word)
            case :file
                __fish_complete_path (string replace -r -- '^--[^=]*=' '' $word)
            case '*'
                echo $line
        end
    end
end
complete -c svc -f -k -a '(__svc_complete)'
`;

// PowerShell before 7.3 does not pass an empty argument to a program, hence the "=".
const POWERSHELL = String.raw`# Completions of svc for PowerShell. In $PROFILE: svc completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString().Trim('"', "'") })
    $program = $commandAst.CommandElements[0].ToString()
    $before = @($elements | Select-Object -Skip 1)
    & $program complete powershell -- @before "=$wordToComplete" 2>$null | ForEach-Object {
        if ($_.StartsWith(':')) { return }
        $word, $description = $_ -split [char]9, 2
        if (-not $description) { $description = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
    }
}
`;

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

export function completionScript(shell: Shell): string {
  // The templates write \${ for the ${ of a shell.
  return SCRIPTS[shell].replaceAll("\\${", "${");
}
