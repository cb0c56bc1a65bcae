import { usageError } from '../../../errors/usage-error.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { findCandidates } from './candidates.ts'
import { scripts, SHELLS, type Shell } from './scripts.ts'

/** `prompts completion --json`. */
export interface CompletionJson {
  readonly shell: Shell
  readonly script: string
}

/** `prompts completion`. */
export const completion: Command = defineCommand({
  argument: {
    placeholder: `<${SHELLS.join('|')}>`,
    description: 'The shell that completes',
  },
  details: [
    'Prints a script that completes commands, options and the slugs of the lock. The shell has to find `prompts`: put node_modules/.bin on the PATH.',
  ],
  options: {},
  examples: [
    ['eval "$(prompts completion bash)"', 'in .bashrc'],
    ['source <(prompts completion zsh)', 'in .zshrc, after compinit'],
    ['prompts completion fish | source', 'in config.fish'],
  ],
  async run(context) {
    const { terminal, positionals } = context
    const [shell, ...words] = positionals
    // The scripts call this at each Tab.
    if (shell === 'candidates') {
      for (const { value, description } of await findCandidates(words, context)) {
        terminal.stdout.line(`${value}\t${description}`)
      }
      return 0
    }
    const known = SHELLS.find((each) => each === shell)
    if (known === undefined || words.length > 0)
      throw usageError(`Name one shell: ${SHELLS.join(', ')}.`, 'completion')
    terminal.json({ shell: known, script: scripts[known] } satisfies CompletionJson)
    if (!terminal.isJson) terminal.raw(scripts[known])
    return 0
  },
})
