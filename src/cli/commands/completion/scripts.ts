/** Shells that have a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** One of them. */
export type Shell = (typeof SHELLS)[number]

const BASH = `_prompts() {
  local candidate
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    COMPREPLY+=("$candidate")
  done < <("\${COMP_WORDS[0]}" completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _prompts prompts
`

const ZSH = `#compdef prompts
_prompts() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && candidates+=("\${line%%$'\\t'*}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then _describe prompts candidates; else _files; fi
}
compdef _prompts prompts
`

const FISH = `function __prompts_candidates
    set -l words (commandline -opc) (commandline -ct)
    $words[1] completion candidates -- $words[2..-1] 2>/dev/null
end
complete -c prompts -f -a '(__prompts_candidates)'
`

/**
 * The script of each shell. It asks `prompts completion candidates -- <words>` at each Tab. Own code:
 * @bomb.sh/tab 0.0.22 prints to the console itself and has no way to leave out
 * slugs that a shell would take for syntax.
 */
export const scripts: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
