/**
 * What the server knows of one project. Everything derives from four things: the lock on disk, the service's
 * list, the texts that were read, and the code of the app.
 */
import { locateParts } from '../../core/lock/lock-lines.ts'
import { type Lock, pairParts } from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import type { ShownLock } from '../../features/project/project.ts'
import { readText, sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { type PageRow, rowsOf, type Shown } from '../shown.ts'
import { ServiceChanges } from './changes.ts'
import { AppCode, type Source } from './code.ts'
import { errorView } from './respond.ts'

/** A lock as it is on disk, and what a document shows of it. */
interface PinnedLock extends ShownLock {
  readonly shown: Pick<Shown, 'environment' | 'hash' | 'prompts'>
}

/** What is known of one project. */
export class Store {
  readonly source: Source
  readonly service: ServiceChanges
  readonly code: AppCode
  readonly #inTurn = createQueue()
  /** How many acts of a person wait for what follows them. */
  #awaited = 0

  constructor(source: Source) {
    this.source = source
    this.service = new ServiceChanges(source)
    this.code = new AppCode(source)
  }

  /** @throws PromptsError if the lock can't be read */
  async lock(): Promise<PinnedLock> {
    const { project } = this.source
    const { base, lock } = await project.show()
    const lineOf = locateParts((await readText(project.lock.path)) ?? '')
    const prompts = pairParts(lock).map(({ prompt, staging }) => {
      return { ...prompt, lockLine: lineOf(prompt) ?? null, staging }
    })
    const hash = sha256(JSON.stringify(prompts))
    return { base, lock, shown: { environment: project.servedView(lock), hash, prompts } }
  }

  /** Everything that is known. Reads the lock on disk, and nothing else. */
  async look(): Promise<Shown> {
    const { options, lock: file } = this.source.project
    const lockPath = relativePath(options.root, file.path)
    const settings = { lockPath, canWrite: options.page === true }
    try {
      const { lock, shown } = await this.lock()
      const changes = this.service.view(lock)
      const known = this.code.known(lock, readChanges(rowsOf(changes)))
      const isAnalysing = known.isAnalysing || this.#awaited > 0
      return { ...settings, ...shown, ...known, isAnalysing, changes, lockError: null }
    } catch (error) {
      return { ...settings, ...NOTHING, lockError: errorView(error) }
    }
  }

  /**
   * Finds out what a window shows besides the lock, one after the other, as far as it is not known. Reads no
   * text. It never rejects: what fails, such as reading the lock, fails again in the next document and is
   * shown there.
   */
  follow(): Promise<void> {
    const find = async (): Promise<void> => {
      const { lock } = await this.lock()
      if (this.source.project.options.pull !== 'never') await this.service.ask()
      await this.code.find(lock, () => readChanges(rowsOf(this.service.view(lock))))
    }
    return this.#inTurn(find).catch(() => undefined)
  }

  /** A person asks what waits and what it breaks now. */
  async askAgain(): Promise<void> {
    this.code.changed()
    await this.service.ask(true)
    this.#followAct()
  }

  /** Reads the texts of rows, by their names, and then checks the app with them. */
  async read(lock: Lock, rows: readonly { readonly name: string }[]): Promise<void> {
    await this.service.read(lock, new Set(rows.map(({ name }) => name)))
    this.source.onChange()
    this.#followAct()
  }

  /** The next document says that the code is analysed: without a script, it asks again only then. */
  #followAct(): void {
    this.#awaited++
    void this.follow().finally(() => {
      this.#awaited--
      this.source.onChange()
    })
  }
}

function readChanges(rows: readonly PageRow[]) {
  return rows.flatMap(({ change }) => change ?? [])
}

const NOTHING = {
  environment: null,
  hash: '',
  prompts: [],
  changes: undefined,
  uses: undefined,
  broken: undefined,
  impact: undefined,
  isAnalysing: false,
} as const
