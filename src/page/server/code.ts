import type { AppLocation } from '../../analysis/app/app.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import { type Lock, partKey } from '../../core/prompt.ts'
import type { runInThread } from '../../features/background/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/files.ts'
import type { Known, Shown } from '../shown.ts'
import { errorView } from './respond.ts'

/** What is shown, and how it is found out. */
export interface Source {
  readonly project: Project
  /** Runs an analysis of the app's code; replaced in tests. */
  readonly run: typeof runInThread
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now: () => number
  /** Called whenever there is something new to show. */
  readonly onChange: () => void
}

/** What a document shows of the code. */
type Analyses = Pick<Shown, 'uses' | 'broken' | 'impact'>

type Results = {
  [Name in keyof Analyses]?: {
    /** What it was found for. Of another lock or other changes, it is not known. */
    readonly stamp: string
    /** The number of edits before it. What was known before an edit is known until it is found again. */
    readonly edits: number
    readonly value: Analyses[Name]
  }
}

/** What is known of the code of an app. */
export class AppCode {
  readonly #source: Source
  readonly #results: Results = {}
  #edits = 0
  #isAnalysing = false

  constructor(source: Source) {
    this.#source = source
  }

  /** Reports that the code has changed. */
  changed(): void {
    this.#edits++
  }

  known(lock: Lock, changes: readonly PromptChange[]): Analyses & Pick<Shown, 'isAnalysing'> {
    const known = <Name extends keyof Analyses>(name: Name, input: unknown): Analyses[Name] => {
      const result = this.#results[name]
      return result?.stamp === stampOf(input) ? result.value : undefined
    }
    return {
      uses: known('uses', lock.parts.map(partKey)),
      broken: known('broken', lock),
      impact: known('impact', [lock, changes]),
      isAnalysing: this.#isAnalysing,
    }
  }

  /**
   * Finds, as far as it is not known, the uses, what does not compile with the lock, and what changes break:
   * one after the other, since each takes a processor for seconds.
   */
  async find(lock: Lock, changes: () => readonly PromptChange[]): Promise<void> {
    const { run } = this.#source
    await this.#find('uses', lock.parts.map(partKey), async (location) => {
      const { prompts, escapes } = await run('findUsage', [{ ...location, lock }])
      return { kind: 'known', sites: prompts.flatMap(({ sites }) => sites), escapes }
    })
    await this.#find('broken', lock, async (location) => ({
      kind: 'known',
      ...(await run('findImpact', [{ ...location, before: undefined, after: lock }])),
    }))
    const read = changes()
    if (read.every(({ kind }) => kind === 'added')) return
    const after = applyChanges(lock, read)
    await this.#find('impact', [lock, read], async (location) => ({
      kind: 'known',
      ...(await run('findImpact', [{ ...location, before: lock, after }])),
    }))
  }

  async #find<Name extends keyof Analyses>(
    name: Name,
    input: unknown,
    analyse: (location: AppLocation) => Promise<Analyses[Name]>,
  ): Promise<void> {
    const [stamp, edits, last] = [stampOf(input), this.#edits, this.#results[name]]
    if (last?.stamp === stamp && last.edits === edits) return
    const { project, onChange } = this.#source
    this.#isAnalysing = true
    onChange()
    const value = await project
      .locate()
      .then(analyse)
      .catch((error: unknown): Known<never> => ({ kind: 'error', error: errorView(error) }))
    this.#isAnalysing = false
    Object.assign(this.#results, { [name]: { stamp, edits, value } })
    onChange()
  }
}

function stampOf(input: unknown): string {
  return sha256(JSON.stringify(input))
}
