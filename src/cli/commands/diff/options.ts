import type { codeOptions } from '../../output/impact-view.ts'
import type { ProjectInvocation } from '../../project-command.ts'

/** The options of `prompts diff`, besides those of the code. */
export const diffOptions = {
  unified: { short: 'u', description: 'Print unified patches, as git and patch do' },
  base: {
    placeholder: 'revision',
    description: 'Compare with the lock of a git revision instead of the service',
  },
  impact: { description: 'Type-check the app: show the code that would break' },
  usage: { description: 'With --json: the files that use each changed prompt' },
  'exit-code': { description: 'Exit with 3 if there is a difference' },
  'fail-on': {
    choices: ['breaking'],
    description: 'Exit with 3 only if a change can break the app',
  },
  format: {
    choices: ['text', 'markdown'],
    description: 'markdown is a comment for a pull request (default: text)',
  },
  output: {
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
} as const

/** A call of `prompts diff`. */
export type DiffInvocation = ProjectInvocation<typeof diffOptions & typeof codeOptions>
