/** What waits in the service, and whether it breaks the app. */
import type { JSX } from 'preact'
import { causesOf, isPublished, usedPrompt, withFindings } from '../../core/change-row.ts'
import {
  countFindings,
  countRows,
  describeLines,
  describeKept,
  describeKeptVersion,
} from '../../core/describe-change.ts'
import type { CodeLine, ImpactFinding } from '../../core/impact.ts'
import {
  describePart,
  indexParts,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../../core/prompt.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import { canCheck, type ErrorView, isRead, mayUse, type PageRow, type Shown } from '../shown.ts'
import { ActButton, idOf, PartButtons } from './forms.tsx'
import { byPlace } from './list.tsx'
import {
  DiffPanel,
  Difference,
  EditorLink,
  ErrorMessage,
  isShort,
  Message,
  Pieces,
  Reason,
  Remote,
  summaryOf,
  useFollow,
  useView,
  versionOf,
} from './parts.tsx'

/** A change with what is known of the code. */
export interface Change extends PageRow {
  readonly isUsed: boolean
  /** Whether it is known what it breaks: it is checked, or no code uses the prompt. */
  readonly isChecked: boolean
  /** A `safe` one was read, and the app was checked with it and compiles. */
  readonly group: GroupName
  /** Whether it is safe alone: a published staging version ends with its live update, else the old live text returns. */
  readonly canTake: boolean
}

const GROUPS = ['breaks', 'safe', 'unknown'] as const

type GroupName = (typeof GROUPS)[number]

/** The changes that wait, by folder and slug. */
export function changesOf({ changes, uses, impact }: Shown): Change[] {
  const rows = changes?.rows ?? []
  const mayBeUsed = mayUse(uses)
  const findings = impact?.findings ?? []
  const causes = causesOf(findings, rows)
  // Each change of a contract and each addition may have caused it.
  const isUnclear = findings.some(({ slug }) => slug === null)
  const partOf = ({ change }: PageRow): PinnedPrompt => change.before ?? change.after
  // The live part first.
  return rows
    .toSorted((a, b) => byPlace(partOf(a), partOf(b)))
    .map((row): Change => {
      const isUsed = mayBeUsed(row)
      // An addition may take the name of another prompt, or be a name too many, also where no code uses it.
      const isRisky = row.kind === 'added' || row.class === 'contract'
      const isFound = canCheck(row, uses) && impact?.findings && !(isUnclear && isRisky)
      const isChecked = (row.kind !== 'added' && !isUsed) || isFound === true
      const judged = withFindings(row, causes.get(row) ?? [])
      const isSafe = isRead(row) && isChecked
      const group = judged.places.length > 0 ? 'breaks' : isSafe ? 'safe' : 'unknown'
      const canTake = group === 'safe' && !isPublished(row)
      return { ...judged, isUsed, isChecked, group, canTake }
    })
}

/** The sentence above the changes. */
function verdictOf(changes: readonly Change[], findings: readonly ImpactFinding[]): string {
  const { lines, notChecked } = countFindings(findings)
  const isProven = changes.every((change) => change.isChecked)
  if (lines > 0) return `${isProven ? '' : 'At least '}${describeLines(lines)} if you pull now`
  const waiting = `${pluralize(changes.length, 'change')} ${changes.length === 1 ? 'waits' : 'wait'}`
  if (notChecked) return `${waiting}: no checked line stops compiling; ${notChecked}`
  return isProven ? `${waiting}, and no line stops compiling` : waiting
}

/** What waits, whether it breaks the app, and each change with its diff. */
export function ChangesPage(): JSX.Element {
  const { changes } = useView()
  return (
    <article class="page stack">
      <BrokenCode />
      {changes?.rows && changes.rows.length > 0 ? <Waiting /> : <NothingWaits changes={changes} />}
      <Kept />
    </article>
  )
}

/** The state without any changes, and the next step. */
function NothingWaits({ changes }: Pick<Shown, 'changes'>): JSX.Element {
  if (changes === undefined)
    return (
      <Message title="The service was not checked yet">
        Check now asks it for its list, and fetches no text.
      </Message>
    )
  if (changes.error) {
    const title = isOff(changes.error) ? 'No service is connected' : 'The service check failed'
    return <Message title={title} children={<ErrorMessage {...changes.error} />} />
  }
  return (
    <Message title={`The list shows no change, ${clockTime(changes.checkedAt)}`}>
      The service's list has neither texts nor temperatures, which can change under the same label.{' '}
      <code>prompts diff</code> compares them too, and fetches each version.
    </Message>
  )
}

/** Whether an error says that no service is configured, so that nothing can be asked. */
export function isOff({ code }: ErrorView): boolean {
  return code === 'KEY_MISSING' || code === 'BASE_URL_MISSING'
}

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}

/** The versions in the service that pulls leave, with the reason of each. */
function Kept(): JSX.Element | null {
  const kept = useView().changes?.kept ?? []
  if (kept.length === 0) return null
  return (
    <section class="strip stack" aria-label="Not taken">
      <strong>{`${pluralize(kept.length, 'version')} in the service can't be taken`}</strong>
      <ul>
        {kept.map((part) => (
          <li class="flow small">
            <Remote text={describePart(part)} />
            <span class="dim" children={<Remote text={describeKeptVersion(part, String)} />} />
            <Remote text={describeKept(part, String)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The verdict, and the changes in three groups. */
function Waiting(): JSX.Element {
  const view = useView()
  const changes = changesOf(view)
  const findings = view.impact?.findings ?? []
  const isBad = findings.some(({ kind }) => kind === 'compile')
  const used = changes.filter(({ isUsed }) => isUsed)
  const [all, some] = [`All ${formatCount(changes.length)}`, formatCount(used.length)]
  const isFiltered = view.query.get('show') === 'used'
  const listed = isFiltered ? used : changes
  return (
    <>
      <header class="verdict">
        <h1 class={isBad ? 'bad' : ''} aria-live="polite" children={verdictOf(changes, findings)} />
        <p class="dim">{`${countRows(changes).join(', ')}.`}</p>
        {view.isAnalysing && (
          <p class="dim" role="status" aria-busy="true">
            {view.uses ? 'Checking your code…' : 'Looking through the code…'}
          </p>
        )}
        <p id="moved" hidden>
          The check has ended. <a href="">Show its result in the groups</a>
        </p>
      </header>
      {view.impact?.error && <ErrorMessage {...view.impact.error} />}
      <Places places={findings.filter(({ slug }) => slug === null)} />
      {used.length < changes.length && (
        <nav class="choice" aria-label="Which changes are listed">
          <a href="?show=" aria-current={!isFiltered} children={all} />
          <a href="?show=used" aria-current={isFiltered} children={`${some} that your code uses`} />
        </nav>
      )}
      {GROUPS.map((name) => (
        <Group name={name} changes={listed.filter(({ group }) => group === name)} />
      ))}
    </>
  )
}

interface GroupProps extends ChangesProps {
  readonly name: GroupName
}

/** A group of changes with what can be done about all of them. The script moves no row to another group. */
function Group({ name, changes }: GroupProps): JSX.Element {
  const titles = {
    breaks: changes.every((change) => change.class === 'breaking')
      ? 'Breaks'
      : 'Breaks or not checked',
    safe: 'Safe',
    unknown: changes.some(isRead) ? 'Not checked yet' : 'Not fetched',
  }
  return (
    <section class="group" id={name}>
      <header class="flow">
        <h2>
          {titles[name]} <span class="count">{formatCount(changes.length)}</span>
        </h2>
        <TakeButton changes={changes.filter(({ canTake }) => canTake)} />
        {name === 'unknown' && <FetchButtons changes={changes} />}
      </header>
      <ul class="change-list" id={`${name}-changes`}>
        {changes.map((change, index) => (
          <ChangeItem change={change} before={changes[index - 1]} />
        ))}
      </ul>
    </section>
  )
}

export interface ChangesProps {
  readonly changes: readonly Change[]
}

/** `Update 3, remove 1`. */
function TakeButton({ changes }: ChangesProps): JSX.Element | null {
  const { canWrite, isAnalysing } = useView()
  if (changes.length === 0 || !canWrite || isAnalysing) return null
  const texts = Object.entries(VERBS).flatMap(([kind, verb]) => {
    const { length } = changes.filter((change) => change.kind === kind)
    return length === 0 ? [] : `${verb} ${formatCount(length)}`
  })
  return (
    <ActButton act="take" of={changes} kind="primary" children={capitalize(texts.join(', '))} />
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const VERBS = { updated: 'update', added: 'add', removed: 'remove' } as const

/** The buttons that fetch texts and check the app with them, with their price. */
function FetchButtons({ changes }: ChangesProps): JSX.Element | null {
  const view = useView()
  const unread = changes.filter((change) => !isRead(change))
  if (unread.length === 0 || view.isAnalysing) return null
  const used = view.uses?.sites ? unread.filter(({ isUsed }) => isUsed) : []
  const check = `Fetch the ${formatCount(used.length)} that your code uses${priceOf(used)}`
  const read = `Fetch all ${formatCount(unread.length)}${priceOf(unread)}`
  return (
    <>
      {used.length > 0 && <ActButton act="read" of={used} kind="primary" children={check} />}
      {unread.length > used.length && <ActButton act="read" of={unread} children={read} />}
      <span class="dim small">Fetching texts may count against your plan</span>
    </>
  )
}

/** How many versions are fetched for these rows, if one of them is in two. */
function priceOf(rows: readonly Change[]): string {
  const { size } = indexParts(rows.flatMap(({ change }) => change.after ?? []))
  return size === rows.length ? '' : ` · ${pluralize(size, 'text')}`
}

interface ChangeItemProps {
  readonly change: Change
  /** The change above, which is in sight after an act. */
  readonly before?: PartId | undefined
  /** Whether it stands on the page of its prompt, where a short difference is open. */
  readonly isAtPrompt?: boolean
}

/** One change in a line, which opens in place. */
export function ChangeItem({ change, before, isAtPrompt }: ChangeItemProps): JSX.Element {
  const id = idOf(change)
  const read = { act: 'read', of: [change], at: isAtPrompt ? undefined : change } as const
  const { uses } = useView()
  const { sites = [] } = uses ?? {}
  const { files } = usedPrompt(
    change.slug,
    sites.filter(({ slug }) => slug === change.slug),
  )
  const { edits } = useFollow(change)
  const isOpen =
    edits !== undefined || change.class === 'breaking' || (isAtPrompt && isShort(change))
  const hasPage = change.kind !== 'added' && !isAtPrompt
  return (
    <li class="change" id={id}>
      <details open={isOpen} id={`${id}-details`}>
        <summary class="cluster bar">
          <span class="slug cut" children={<Remote text={describePart(change)} />} />
          <span class="versions dim small cut" children={<Remote text={versionOf(change)} />} />
          <span class="what cut small" children={<Remote text={summaryOf(change)} />} />
          <Effect {...change} />
        </summary>
        <div class="stack opened">
          <div class="sides">
            <div class="stack">
              <p class="small" children={<Remote text={summaryOf({ ...change, files })} />} />
              {!isRead(change) && <ActButton {...read} children="Fetch the text" />}
              <Difference {...change} />
            </div>
            <Places places={change.places} />
          </div>
          {edits && <Fix part={change} />}
          {hasPage && (
            <p>
              <a href={promptPath(change.slug)} children={<Remote text={change.slug} />} />
            </p>
          )}
        </div>
      </details>
      <ChangeButtons change={change} at={before} />
    </li>
  )
}

/** The edits that take a change, which a person confirms. */
function Fix({ part }: { part: PartId }): JSX.Element {
  const { of = part, edits = [] } = useFollow(part)
  return (
    <section class="stack" aria-label="Edits of the code">
      {edits.map(({ file, ...texts }) => (
        <DiffPanel title={file} label={`Edits of ${file}`} {...texts} />
      ))}
      <div class="flow">
        <ActButton act="fix" of={[of]} kind="primary" children="Edit the code and update" />
        <a class="button" href="?" children="Cancel" />
      </div>
    </section>
  )
}

/** The buttons that a change needs, none of which breaks the app. */
function ChangeButtons({ change, at }: { change: Change; at: PartId | undefined }) {
  const { canWrite, isAnalysing, fixes, prompt } = useView()
  if (!canWrite) return null
  const { environment } = change
  const pinned =
    change.change.before?.environment === environment ? change.change.before : undefined
  const isBroken = change.class === 'breaking' && environment === 'live'
  // Those of the prompt whose page it is are beside its title.
  const hasOwnButtons = prompt && pinned && partKey(prompt) === partKey(pinned)
  const form = { of: [change], kind: 'primary', isNamed: true } as const
  return (
    <div class="actions cluster">
      {change.canTake && !isAnalysing && (
        <ActButton act="take" {...form} at={at} children={capitalize(VERBS[change.kind])} />
      )}
      {isBroken && !isAnalysing && fixes?.slugs?.includes(change.slug) && (
        <ActButton act="plan" {...form} at={change} children="Fix" />
      )}
      {pinned && !hasOwnButtons && <PartButtons part={pinned} at={at} />}
    </div>
  )
}

/** What a change breaks, in a few words. Red only for what is proven. */
function Effect({ isUsed, isChecked, places, class: kind }: Change): JSX.Element {
  const isBreaking = kind === 'breaking'
  const [first, ...others] = places.filter((place) => !isBreaking || place.kind === 'compile')
  if (first !== undefined) {
    const more = others.length > 0 ? ` +${others.length}` : ''
    const text = `${isBreaking ? 'breaks' : 'not checked:'} ${first.file}:${first.line}${more}`
    return <span class={`effect cut ${isBreaking ? 'bad' : ''}`}>{text}</span>
  }
  const text = isUsed ? (isChecked ? 'no line stops compiling' : 'not checked yet') : 'not used'
  return <span class="effect dim cut">{text}</span>
}

/** The lines that a change breaks or that were not checked, with the reason of each; nothing for none. */
function Places({ places }: Pick<Change, 'places'>): JSX.Element | null {
  if (places.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break or were not checked">
      {places.map(({ file, line, code, reason }) => (
        <li class="stack">
          <p class="flow">
            <EditorLink file={file} line={line} />
            <Reason text={reason} />
          </p>
          {code && <Code {...code} />}
        </li>
      ))}
    </ul>
  )
}

interface KeptBackProps {
  readonly part: PartId
  /** The button that pins it in spite of the lines. */
  readonly children: JSX.Element
}

/** The lines that keep back what a person wants to pin. */
export function KeptBack({ part, children }: KeptBackProps): JSX.Element | null {
  const { findings } = useFollow(part)
  if (!findings) return null
  return (
    <section class="strip stack" aria-label="Why nothing was written">
      <Places places={findings} />
      <div class="flow" children={children} />
    </section>
  )
}

/** A line of code with the expression marked. */
function Code({ text, start, length }: CodeLine): JSX.Element {
  const end = start + length
  return (
    <pre class="code" role="group" tabIndex={0} aria-label="The line of code">
      <Pieces text={text.slice(0, start)} />
      <mark children={<Pieces text={text.slice(start, end)} />} />
      <Pieces text={text.slice(end)} />
    </pre>
  )
}

/**
 * The code that does not compile with the lock as it is, such as after a pull that was written anyway.
 *
 * @param slug - of the prompt. Default: of all
 */
export function BrokenCode({ slug }: { slug?: string }): JSX.Element | null {
  const findings = useView().broken?.findings ?? []
  const places = findings.filter(
    (place) => place.kind === 'compile' && (slug === undefined || place.slug === slug),
  )
  if (places.length === 0) return null
  const does = places.length === 1 ? 'place does' : 'places do'
  return (
    <section class="strip stack bad-strip" aria-label="Broken code" id="broken">
      <strong>{`${formatCount(places.length)} ${does} not compile with the lock`}</strong>
      <Places places={places} />
    </section>
  )
}
