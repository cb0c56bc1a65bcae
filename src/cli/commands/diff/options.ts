import type { codeOptions } from '../../output/impact-view.ts'
import type { ProjectInvocation } from '../../project-command.ts'

/** The options of `prompts diff`, besides those of the code. */
export const diffOptions = {
  unified: { type: 'flag', short: 'u', description: 'Print unified patches, as git and patch do' },
  base: {
    type: 'text',
    placeholder: 'revision',
    description: 'Compare with the lock of a git revision instead of the service',
  },
  impact: { type: 'flag', description: 'Type-check the app: show the code that would break' },
  usage: { type: 'flag', description: 'With --json: the files that use each changed prompt' },
  'exit-code': { type: 'flag', description: 'Exit with 3 if there is a difference' },
  'fail-on': {
    type: 'choice',
    choices: ['breaking'],
    description: 'Exit with 3 only if a change can break the app',
  },
  format: {
    type: 'choice',
    choices: ['text', 'markdown'],
    description: 'markdown is a comment for a pull request (default: text)',
  },
  output: {
    type: 'text',
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
} as const

/** A call of `prompts diff`. */
export type DiffInvocation = ProjectInvocation<typeof diffOptions & typeof codeOptions>
