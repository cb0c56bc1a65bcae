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

/** What is known of the code of an app. One analysis takes a processor for seconds, so one runs at a time. */
export class AppCode {
  readonly #project: Project
  readonly #run: typeof runInThread
  readonly #uses
  readonly #broken
  readonly #impact
  readonly #inTurn = createQueue()
  #running = 0

  readonly #onChange: () => void

  constructor(project: Project, run: typeof runInThread, onChange: () => void) {
    this.#project = project
    this.#run = run
    this.#onChange = onChange
    this.#uses = new Cache<Known<Uses>>(Date.now, onChange)
    this.#broken = new Cache<Known<Findings>>(Date.now, onChange)
    this.#impact = new Cache<Known<Findings>>(Date.now, onChange)
  }

  /** Reports that the code has changed. What was known is known until it is found again. */
  changed(): void {
    for (const cache of [this.#uses, this.#broken, this.#impact]) cache.expire()
  }

  /** What is known already. */
  known(
    lock: Lock,
    changes: readonly PromptChange[],
  ): Pick<Shown, 'uses' | 'broken' | 'impact' | 'isAnalysing'> {
    return {
      uses: this.#uses.known(stampOf(lock.parts.map(partKey))),
      broken: this.#broken.known(stampOf(lock)),
      impact: this.#impact.known(stampOf([lock, changes])),
      isAnalysing: this.#running > 0,
    }
  }

  findUses(lock: Lock): Promise<unknown> {
    return this.#keep(this.#uses, lock.parts.map(partKey), async (location) => {
      const { prompts, escapes } = await this.#run('findUsage', [{ ...location, lock }])
      return { sites: prompts.flatMap(({ sites }) => sites), escapes }
    })
  }

  /** Checks the app with the lock as it is. */
  findBroken(lock: Lock): Promise<unknown> {
    return this.#keep(this.#broken, lock, (location) =>
      this.#run('findImpact', [{ ...location, before: undefined, after: lock }]),
    )
  }

  /** Checks the app with changes. */
  findImpact(lock: Lock, changes: readonly PromptChange[]): Promise<unknown> {
    const after = applyChanges(lock, changes)
    return this.#keep(this.#impact, [lock, changes], (location) =>
      this.#run('findImpact', [{ ...location, before: lock, after }]),
    )
  }

  #keep<Value extends object>(
    cache: Cache<Known<Value>>,
    input: unknown,
    analyse: (location: AppLocation) => Promise<Value>,
  ): Promise<unknown> {
    const make = async (): Promise<Known<Value>> => {
      try {
        return { kind: 'known', ...(await analyse(await this.#project.locate())) }
      } catch (error) {
        return { kind: 'error', error: errorView(error) }
      } finally {
        this.#running--
      }
    }
    const start = (): Promise<Known<Value>> => {
      this.#running++
      this.#onChange()
      return this.#inTurn(make)
    }
    return cache.get(stampOf(input), start)
  }
}

function stampOf(input: unknown): string {
  return sha256(JSON.stringify(input))
}
