import type { codeOptions } from '../../output/impact-view.ts'
import type { ProjectInvocation } from '../../project-command.ts'

/** The options of `prompts diff`, besides those of the code. */
export const diffOptions = {
  base: {
    placeholder: 'revision',
    description: 'Compare with the lock where this branch left a git revision, not the service',
  },
  impact: { description: 'Type-check the app: show the code that would break' },
  'fail-on': {
    choices: ['any', 'breaking', 'cache'],
    description:
      'Exit with 3 if anything differs, if the app stops or may stop working, or if a cacheable prefix is lost',
  },
  format: {
    choices: ['text', 'patch', 'markdown'],
    description: 'patch is for git and patch, markdown for a pull request (default: text)',
  },
  output: {
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
} as const

/** A call of `prompts diff`. */
export type DiffInvocation = ProjectInvocation<typeof diffOptions & typeof codeOptions>
