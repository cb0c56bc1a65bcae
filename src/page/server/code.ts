import type { AppLocation } from '../../analysis/app/app.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import { type Lock, partKey } from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import type { runInThread } from '../../features/background/in-thread.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/files.ts'
import type { Findings, Known, Shown, Uses } from '../shown.ts'
import { Cache } from './cache.ts'
import { errorView } from './respond.ts'

/** One analysis of the code, as a document shows it. */
interface Analysis<Value> {
  /** What is known already. */
  known(input: unknown): Known<Value> | undefined
  find(input: unknown, analyse: (location: AppLocation) => Promise<Value>): Promise<unknown>
  expire(): void
}

/** What is known of the code of an app. One analysis takes a processor for seconds, so one runs at a time. */
export class AppCode {
  readonly #project: Project
  readonly #run: typeof runInThread
  readonly #onChange: () => void
  readonly #inTurn = createQueue()
  readonly #uses: Analysis<Uses> = this.#analysis()
  readonly #broken: Analysis<Findings> = this.#analysis()
  readonly #impact: Analysis<Findings> = this.#analysis()
  #running = 0

  constructor(project: Project, run: typeof runInThread, onChange: () => void) {
    this.#project = project
    this.#run = run
    this.#onChange = onChange
  }

  /** Reports that the code has changed. What was known is known until it is found again. */
  changed(): void {
    for (const analysis of [this.#uses, this.#broken, this.#impact]) analysis.expire()
  }

  known(
    lock: Lock,
    changes: readonly PromptChange[],
  ): Pick<Shown, 'uses' | 'broken' | 'impact' | 'isAnalysing'> {
    return {
      uses: this.#uses.known(lock.parts.map(partKey)),
      broken: this.#broken.known(lock),
      impact: this.#impact.known([lock, changes]),
      isAnalysing: this.#running > 0,
    }
  }

  /** Finds, as far as it is not known, the uses, what does not compile with the lock, and what changes break. */
  async find(lock: Lock, changes: () => readonly PromptChange[]): Promise<void> {
    const run = this.#run
    await this.#uses.find(lock.parts.map(partKey), async (location) => {
      const { prompts, escapes } = await run('findUsage', [{ ...location, lock }])
      return { sites: prompts.flatMap(({ sites }) => sites), escapes }
    })
    await this.#broken.find(lock, (location) =>
      run('findImpact', [{ ...location, before: undefined, after: lock }]),
    )
    const read = changes()
    if (read.every(({ kind }) => kind === 'added')) return
    const after = applyChanges(lock, read)
    await this.#impact.find([lock, read], (location) =>
      run('findImpact', [{ ...location, before: lock, after }]),
    )
  }

  #analysis<Value extends object>(): Analysis<Value> {
    const cache = new Cache<Known<Value>>(Date.now, () => this.#onChange())
    const stampOf = (input: unknown): string => sha256(JSON.stringify(input))
    return {
      known: (input) => cache.known(stampOf(input)),
      expire: () => cache.expire(),
      find: (input, analyse) =>
        cache.get(stampOf(input), () => {
          this.#running++
          this.#onChange()
          return this.#inTurn(async () => {
            try {
              return { kind: 'known', ...(await analyse(await this.#project.locate())) }
            } catch (error) {
              return { kind: 'error', error: errorView(error) }
            } finally {
              this.#running--
            }
          })
        }),
    }
  }
}
