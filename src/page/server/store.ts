/**
 * What the server knows of one project, and the windows that show it. Everything derives from four things: the
 * lock on disk, the service's list, the texts that were read of it, and the code of the app. While a window
 * listens, the service is asked for its list, and the code is analysed.
 */
import type { ServerResponse } from 'node:http'
import type { AppLocation } from '../../judge/app.ts'
import { changedTexts, type ComparedRow } from '../../core/change-row.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import { locateParts } from '../../core/lock/lock-lines.ts'
import {
  indexParts,
  type Lock,
  pairParts,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../../core/prompt.ts'
import { createQueue } from '../../core/queue.ts'
import { listedParts, type RefusedPart, type Remarks } from '../../core/service.ts'
import type { runInThread } from '../../plan/thread/in-thread.ts'
import { type AppCode, rename } from '../../plan/thread/judge.ts'
import { guessRenames } from '../../plan/fix/renames.ts'
import { driftReport, type ReadList, readList } from '../../features/diff/drift.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import { canCheck, type Compared, isRead, type Known, type PageRow, type Shown } from '../shown.ts'
import type { Launch } from './editor.ts'
import { errorView, HEADERS } from './http.ts'

/** How long a list of the service is recent, how often it is asked for then, in milliseconds. */
const LIST_AGE = 50_000
const CHECK_INTERVAL = 60_000

/** Milliseconds without a window after which the code counts as changed: not every server watches it. */
const AWAY = 30_000

/** What is shown, and how it is found out. */
export interface Source {
  readonly project: Project
  /** Runs an analysis of the app's code; replaced in tests, as what follows. */
  readonly run: typeof runInThread
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number
  readonly launch: Launch
}

/** What a document shows of the code. */
type Analyses = Pick<Shown, 'uses' | 'broken' | 'impact' | 'fixes'>

/** A question to an analysis, about a lock or changes. Of others, nothing is known. */
interface Asked<Value> {
  readonly stamp: string
  /** Whether the code has changed since: what is older is known until it is found again. */
  isOld?: boolean
  /** `undefined` until it is known. */
  value?: Value
}

/** What is known of one project. */
export class Store {
  readonly source: Source
  /** The service's list, or why there is none; `undefined` until it was asked. */
  #listed: (ReadList & { readonly error?: undefined }) | { readonly error: unknown } | undefined
  #askedAt = 0
  /** What was read of the listed versions, by {@link partKey}: texts, the parts that do not fit, and remarks. */
  readonly #texts = new Map<string, PinnedPrompt>()
  readonly #misfits = new Map<string, RefusedPart>()
  readonly #remarks = new Map<string, Remarks>()
  readonly #asks = createQueue()
  /** What was asked of the code last, by analysis. */
  readonly #asked: { [Name in keyof Analyses]?: Asked<Analyses[Name]> } = {}
  /** The analyses that run, and what follows the acts of a person. */
  readonly #pending = new Set<Promise<unknown>>()
  readonly #follows = createQueue()
  readonly #windows = new Set<ServerResponse>()
  #leftAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(source: Source) {
    this.source = source
  }

  /** The code of the apps, for plans. */
  get code(): AppCode {
    const { project, run } = this.source
    return { locate: () => project.locate(), run }
  }

  /** Everything that is known. Reads the lock on disk, and nothing else. */
  async look(): Promise<Shown> {
    const { project } = this.source
    const { options, lock: file } = project
    const settings = {
      lockPath: relativePath(options.root, file.path),
      canWrite: options.page === true,
      isAnalysing: this.#pending.size > 0,
    }
    try {
      const { base, after: lock } = await project.show()
      const lineOf = locateParts((await file.readText()) ?? '')
      const prompts = pairParts(lock).map(({ prompt, staging }) => {
        return { ...prompt, lockLine: lineOf(prompt) ?? null, staging }
      })
      const changes = this.waiting(lock)
      const uses = this.#known('uses', withNames(lock, changes).parts.map(partKey))
      const broken = this.#known('broken', lock)
      const asked = [lock, checkedChanges(changes, uses)]
      const [impact, fixes] = [this.#known('impact', asked), this.#known('fixes', asked)]
      const { environment } = options.served
      return { ...settings, base, environment, prompts, changes, uses, broken, impact, fixes }
    } catch (error) {
      return { ...settings, lockError: errorView(error), prompts: [] }
    }
  }

  /** Compares a lock with the last list and the texts that were read. Asks nothing. */
  waiting(lock: Lock): Known<Compared> | undefined {
    const listed = this.#listed
    if (listed === undefined) return undefined
    if ('error' in listed) return { error: errorView(listed.error) }
    const [read, remarks, refused] = [this.#texts, this.#remarks, [...this.#misfits.values()]]
    const list = { ...listed, read, remarks, refused }
    const { drift, held, kept } = driftReport(lock, list, this.source.project.options)
    return { rows: drift.map(pageRow), held, kept, checkedAt: this.#askedAt }
  }

  /**
   * Asks the service for its list, unless it is recent.
   *
   * @param isRequested - whether a person asks: then always, and every text is fetched again, since authors rewrite
   *   them under one label
   */
  ask(isRequested = false): Promise<void> {
    const { project, now } = this.source
    return this.#asks(async () => {
      if (!isRequested && this.#listed && now() - this.#askedAt < LIST_AGE) return
      this.#keepList(await readList(project).catch((error: unknown) => ({ error })), isRequested)
    })
  }

  /** Keeps of what was read only what is listed with the same label, or nothing for a person who asks. */
  #keepList(listed: ReadList | { readonly error: unknown }, isRequested = false): void {
    this.#listed = listed
    if ('prompts' in listed) {
      const parts = indexParts(isRequested ? [] : listed.prompts.flatMap(listedParts))
      for (const part of [...this.#texts.values(), ...this.#misfits.values()]) {
        if (parts.get(partKey(part))?.version === part.version) continue
        for (const read of [this.#texts, this.#misfits, this.#remarks]) read.delete(partKey(part))
      }
    }
    this.#askedAt = this.source.now()
    this.#tell()
  }

  /** What waits, by a recent list. @throws the error of the service */
  async rows(lock: Lock): Promise<readonly PageRow[]> {
    await this.ask()
    if (this.#listed && 'error' in this.#listed) throw this.#listed.error
    return this.waiting(lock)?.rows ?? []
  }

  /**
   * Reads the texts of the rows with these names that have none, at one moment, and then checks the app with them.
   *
   * @throws the errors of the service
   */
  async read(lock: Lock, names: readonly string[]): Promise<void> {
    const { project } = this.source
    await this.rows(lock)
    // One after the other: the next finds what the one before has read.
    await this.#asks(async () => {
      const rows = this.waiting(lock)?.rows ?? []
      const unread = rows.filter((row) => names.includes(row.name) && !isRead(row))
      const parts = new Set(unread.flatMap(({ change }) => change.after ?? []).map(partKey))
      if (parts.size === 0) return
      const { concurrency } = project.options
      const isSelected = (part: PartId): boolean => parts.has(partKey(part))
      const workspace = await project.withService((service) =>
        readWorkspace(service, { isSelected, concurrency }),
      )
      for (const part of workspace.parts) this.#texts.set(partKey(part), part)
      for (const [key, said] of workspace.remarks) this.#remarks.set(key, said)
      for (const part of workspace.refused) this.#misfits.set(partKey(part), part)
      this.#keepList({ ...workspace, prompts: workspace.listed })
    })
    this.#followAct()
  }

  /** Reports that the lock may have changed. */
  lockChanged(): void {
    this.#tell()
    this.#refresh()
  }

  /** Reports that the code has changed. */
  codeChanged(): void {
    this.#forget()
    this.#refresh()
  }

  #forget(): void {
    for (const asked of Object.values(this.#asked)) asked.isOld = true
  }

  /**
   * Finds out what a window shows besides the lock, as far as it is not known: the list, then the uses, what does
   * not compile with the lock, what changes break, and which of them an edit of the code takes. One after the other, since each takes a processor for seconds.
   * Reads no text. It never rejects: what fails, such as reading the lock, fails again in the next document and is
   * shown there.
   */
  follow(): Promise<void> {
    const { project, run } = this.source
    const find = async (): Promise<void> => {
      const seen = await project.show()
      const { after: lock } = seen
      if (project.options.pull !== 'never') await this.ask()
      const changes = this.waiting(lock)
      const named = withNames(lock, changes)
      const uses = await this.#find('uses', named.parts.map(partKey), async (app) => {
        const { prompts, escapes } = await run('findUsage', [{ ...app, lock: named }])
        return { sites: prompts.flatMap(({ sites }) => sites), escapes }
      })
      await this.#find('broken', lock, (app) =>
        run('findImpact', [{ ...app, before: undefined, after: lock }]),
      )
      const checked = checkedChanges(changes, uses)
      if (checked.length === 0) return
      const after = applyChanges(lock, checked)
      const impact = await this.#find('impact', [lock, checked], (app) =>
        run('findImpact', [{ ...app, before: lock, after }]),
      )
      const renames = guessRenames(checked, [])
      if (renames.length === 0 || !impact?.findings?.length) return
      await this.#find('fixes', [lock, checked], async () => {
        const plan = await project.edit(seen, after)
        const { edits } = await rename(plan, { renames, isAsked: true }, this.code)
        return { slugs: edits.flatMap(({ places }) => places.flatMap(({ slugs }) => slugs)) }
      })
    }
    return this.#follows(find).catch(() => undefined)
  }

  /** Asks the service and looks through the code, since a person asks what waits and what it breaks now. */
  async checkNow(): Promise<void> {
    this.#forget()
    await this.ask(true)
    this.#followAct()
  }

  /** The next document says that the code is analysed: without a script, it asks again only then. */
  #followAct(): void {
    void this.#pend(this.follow())
  }

  async #find<Name extends keyof Analyses>(
    name: Name,
    input: unknown,
    analyse: (app: AppLocation) => Promise<Analyses[Name]>,
  ): Promise<Analyses[Name]> {
    const last = this.#asked[name]
    const value = this.#known(name, input)
    if (value !== undefined && !last?.isOld) return value
    const asked: Asked<Analyses[Name]> = { stamp: stampOf(input), value }
    Object.assign(this.#asked, { [name]: asked })
    // A preview serves another view than the declarations have.
    const app = this.source.project.locate(undefined, name === 'broken' ? 'served' : undefined)
    const answer = app.then(analyse).catch((error: unknown) => ({ error: errorView(error) }))
    const running = this.#pend(answer.then((found) => Object.assign(asked, { value: found })))
    this.#tell()
    await running
    return asked.value
  }

  /** What an analysis has found, if it was asked this. */
  #known<Name extends keyof Analyses>(name: Name, input: unknown): Analyses[Name] {
    const asked = this.#asked[name]
    return asked?.stamp === stampOf(input) ? asked.value : undefined
  }

  /** Says that something runs, until it ends. */
  async #pend(work: Promise<unknown>): Promise<void> {
    this.#pending.add(work)
    await work
    this.#pending.delete(work)
    this.#tell()
  }

  /** Answers with events until the window is closed. An event says that there is something new to show. */
  listen(response: ServerResponse): undefined {
    const { now } = this.source
    if (this.#windows.size === 0 && now() - this.#leftAt > AWAY) this.#forget()
    this.#windows.add(response)
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': welcome\n\n')
    response.on('close', () => {
      this.#windows.delete(response)
      if (this.#windows.size > 0) return
      this.#leftAt = now()
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    this.#timer ??= setInterval(() => this.#refresh(), CHECK_INTERVAL).unref()
    this.#refresh()
  }

  #refresh(): void {
    if (this.#windows.size > 0) void this.follow()
  }

  #tell(): void {
    for (const response of this.#windows) if (!response.destroyed) response.write('data:\n\n')
  }
}

/** A lock with the names that are added, since code may use them already. */
function withNames(lock: Lock, changes: Shown['changes']): Lock {
  return applyChanges(
    lock,
    select(changes, ({ kind }) => kind === 'added'),
  )
}

function checkedChanges(changes: Shown['changes'], uses: Shown['uses']): PromptChange[] {
  return select(changes, (row) => canCheck(row, uses))
}

function select(changes: Shown['changes'], isWanted: (row: PageRow) => boolean): PromptChange[] {
  return (changes?.rows ?? []).filter(isWanted).map(({ change }) => change)
}

function pageRow(row: ComparedRow): PageRow {
  const { environment, slug, version, change } = row
  const texts = sha256(JSON.stringify(changedTexts(change)))
  return { ...row, name: JSON.stringify([environment, slug, version.before, version.after, texts]) }
}

function stampOf(input: unknown): string {
  return sha256(JSON.stringify(input))
}
