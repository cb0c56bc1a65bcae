import type { Rename } from '../../../plan/fix/renames.ts'
import type { JudgedPlan, Plan } from '../../../plan/plan.ts'
import type { codeOptions } from '../../project/analyse.ts'
import type { ProjectContext } from '../../project/project-command.ts'
import type { ValuesOf } from '../../shell/command.ts'

/** The options of `prompts pull`, besides those of the code. */
export const pullOptions = {
  interactive: { short: 'i', description: 'Choose the prompts to update from their diffs' },
  'skip-breaking': {
    description: 'Install updates that do not break the app; keep the others pinned',
  },
  fix: { description: 'Edit the calls that the update breaks, after showing every edit' },
  yes: { short: 'y', description: 'Write without asking, even if it breaks the app' },
  'dry-run': { description: 'Show what would change; write nothing but a report' },
  changed: { description: 'Read only prompts whose entry in the list differs from the lock' },
  rename: {
    repeatable: true,
    placeholder: 'slug:old=new',
    description: 'With --fix: a renamed variable, or prompt as old-slug=new-slug; repeatable',
  },
  'allow-dirty': { description: 'With --fix: also edit files with changes that are not committed' },
  report: {
    placeholder: 'file',
    description: 'Write a Markdown report, such as for a pull request',
  },
  'allow-replace': {
    description: 'Accept a workspace that has no prompt of the lock, or none at all',
  },
} as const

/** A pull on the command line: of `prompts pull`, or the first one of `prompts init`. */
export interface PullContext extends ProjectContext {
  readonly values: Partial<ValuesOf<typeof pullOptions & typeof codeOptions>>
  /** Slugs; all prompts if there are none. */
  readonly positionals: readonly string[]
}

/** A plan on its way to being written or declined. */
export interface Deciding<Of extends Plan = JudgedPlan> {
  readonly plan: Of
  /** What `--fix` can do; `undefined` until it was tried. */
  readonly fix?: Fix
  /** The confirmed renames. Default: none. */
  readonly renames?: readonly Rename[]
}

export interface Fix {
  /** The plan with every edit that a person can be asked about. */
  readonly plan: JudgedPlan
  /** The renames that options name. */
  readonly named: readonly Rename[]
  /** Probable ones, which a person has to confirm. */
  readonly guesses: readonly Rename[]
}
