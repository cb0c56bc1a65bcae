import {
  changedTexts,
  type ChangedText,
  type ChangeRow,
  withoutTexts,
} from '../../../core/change-row.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import type { ImpactFinding } from '../../../core/impact.ts'
import type { Environment } from '../../../core/prompt.ts'
import type { Comparison } from './read-comparison.ts'

/** One prompt of `prompts diff --json`. Texts are unescaped. */
export interface DiffPromptJson extends ChangeRow {
  /** The full text of the fields that differ. */
  readonly texts: readonly ChangedText[]
  /** The files that use the prompt, directly or through imports; `null` if the app can't be analysed. */
  readonly files: readonly string[] | null
}

/** `prompts diff --json`. */
export interface DiffJson {
  /** The environments of the lock and of the service. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /** Held prompts and their pending updates; compared only if named, and not with `--base`. */
  readonly held?: readonly HeldPrompt[]
  /** Only with `--impact` or `--fail-on breaking`: code that would break. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** Changed prompts whose texts were not read, as `--impact` does for those that no code uses; not with `--base`. */
  readonly unread?: readonly string[]
  /** In the service's own words; not with `--base`. */
  readonly planStatus?: string
  /** Single reads, which plans commonly meter; not with `--base`. */
  readonly reads?: number
  /** The same for the test lock, with `--base` if there are two locks. */
  readonly staging?: DiffJson
}

/** A comparison as JSON. */
export function diffJson({ environment, lock, report, rows, impact, usage }: Comparison): DiffJson {
  const { changes, unchanged: same, ...service } = report
  const filesOf = usage && new Map(usage.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = rows.map((row) => ({
    ...withoutTexts(row),
    texts: changedTexts(row.change),
    files: filesOf === undefined ? null : (filesOf.get(row.slug) ?? []),
  }))
  const unchanged = same + changes.length - rows.length
  const code = impact && { impact: impact.findings }
  return { environment, lock: lock.path, prompts, unchanged, ...service, ...code }
}
