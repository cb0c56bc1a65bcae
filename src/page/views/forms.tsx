/** What acts: forms that the address of their document answers. */
import type { ComponentChildren, JSX } from 'preact'
import { describePart, type PartId, type PinnedPrompt } from '../../core/prompt.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { encodeSlug, promptPath } from '../addresses.ts'
import type { Act } from '../shown.ts'
import { Reason, Remote } from './pieces.tsx'
import { canTake, type Change } from './rows.ts'
import { useView, type View } from './view.ts'

interface FormProps {
  /** Default: the button that is used says it. */
  readonly act?: Act
  /** Names of rows that the act is about. */
  readonly rows?: readonly string[]
  /** The id of what is in sight after the act. Default: the beginning of the document. */
  readonly at?: string | undefined
  readonly id?: string
  readonly class?: string
  readonly popover?: 'auto'
  readonly children: ComponentChildren
}

/** A form with what was on the screen: what it names is acted on, or the act is refused. */
export function Form({ act, rows = [], at, children, ...more }: FormProps): JSX.Element {
  const { hash } = useView()
  const fields = [['act', act], ['lock', hash], ...rows.map((row) => ['row', row])].filter(
    ([, value]) => value !== undefined,
  )
  return (
    <form method="post" action={at && `#${at}`} {...more}>
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

interface ActButtonProps extends FormProps {
  readonly kind?: 'primary' | ''
  /** What it is about, for those who can't see where the button is. */
  readonly about?: string
  readonly children: string
}

/** A form that is one button. */
export function ActButton({ kind = '', about, children, ...form }: ActButtonProps): JSX.Element {
  const label = about && `${children} ${makeVisible(about)}`
  return (
    <Form {...form}>
      <button class={`button ${kind}`} aria-label={label}>
        {children}
      </button>
    </Form>
  )
}

/** What forms send for a part. */
export function nameOf({ environment, slug }: PartId): string {
  return JSON.stringify([environment, slug])
}

/** The id of a part in a document. */
export function idOf({ slug, environment }: PartId): string {
  return `${environment}-${encodeSlug(slug)}`
}

function pinnedPart({ prompts }: View, { slug, environment }: PartId): PinnedPrompt | undefined {
  const entry = prompts.find((prompt) => prompt.slug === slug)
  return [entry, entry?.staging].find((part) => part?.environment === environment) ?? undefined
}

interface DecisionsProps {
  readonly of: PartId | Change
  readonly at?: string | undefined
}

/** The buttons that a pinned part or its change needs, none of which breaks the app. */
export function Decisions({ of, at }: DecisionsProps): JSX.Element | null {
  const view = useView()
  if (!view.canWrite) return null
  const change = 'change' in of ? of : undefined
  const [pinned, about] = [pinnedPart(view, of), describePart(of)]
  const isRename = change?.effects.some(({ kind }) => /^(variable|prompt)-re/.test(kind))
  const isBroken = change?.class === 'breaking' && of.environment === 'live' && !view.isAnalysing
  const form = { rows: change ? [change.name] : [], kind: 'primary', about } as const
  return (
    <div class="actions cluster">
      {change && canTake(change, view) && (
        <ActButton act="take" {...form} at={at} children="Take" />
      )}
      {isRename && isBroken && <ActButton act="plan" {...form} at={idOf(of)} children="Fix" />}
      {pinned && <HoldButton part={pinned} at={at} />}
      {pinned && (
        <a class="button" href={editPath(of)} aria-label={`Edit ${makeVisible(about)}`}>
          Edit
        </a>
      )}
    </div>
  )
}

export function editPath({ slug, environment }: PartId): string {
  return promptPath(slug, 'edit') + (environment === 'test' ? '?part=test' : '')
}

/** A button that opens a form with the reason of a hold. */
function HoldButton({ part, at }: { part: PinnedPrompt; at: string | undefined }): JSX.Element {
  const id = `hold-${idOf(part)}`
  const about = describePart(part)
  return (
    <>
      <button
        type="button"
        class="button"
        popovertarget={id}
        aria-label={`Hold ${makeVisible(about)}`}
      >
        Hold
      </button>
      <Form act="hold" rows={[nameOf(part)]} at={at} id={id} popover="auto" class="decision stack">
        <strong>
          Hold <Remote text={`${about} ${part.version}`} />
        </strong>
        <Field name="reason" label={REASON} text={part.held?.reason ?? ''} isFirst />
        <div class="flow">
          <button class="button primary">Hold it</button>
          <button type="button" class="button" popovertarget={id} popovertargetaction="hide">
            Cancel
          </button>
        </div>
      </Form>
    </>
  )
}

export const REASON = 'Why, for the reviewers of the lock'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly text: string
  readonly isFirst?: boolean
}

/** Browsers ignore a line break behind the tag, so the text has one more. */
export function Field({ name, label, text, isFirst }: FieldProps): JSX.Element {
  return (
    <label class="field">
      <Remote text={label} />
      <textarea class="input" name={name} rows={1} spellcheck={false} autofocus={isFirst}>
        {`\n${text}`}
      </textarea>
    </label>
  )
}

/** The edits of the app for a row with renames, which a person confirms, if they were asked for. */
export function Fix({ of }: { of: Change }): JSX.Element | null {
  const { fix } = useView()
  if (fix?.row !== of.name) return null
  const { renames, patches, reason } = fix
  const names = renames.map((rename) => `\`${rename}\``).join(', ')
  return (
    <section class="decision stack" aria-label="Fix">
      <Reason
        text={reason === null ? `Renamed in the service: ${names}` : `No safe edit: ${reason}`}
      />
      {patches.map(({ file, patch }) => (
        <pre class="patch" role="group" tabIndex={0} aria-label={`Edits of ${file}`}>
          {patch.split('\n').map((line) => (
            <div class={{ '+': 'added', '-': 'removed' }[line.charAt(0)]}>
              <Remote text={line} />
            </div>
          ))}
        </pre>
      ))}
      <div class="flow">
        {reason === null && (
          <ActButton
            act="fix"
            rows={[of.name]}
            kind="primary"
            children="Edit the code and take it"
          />
        )}
        <a class="button" href={`?#${idOf(of)}`}>
          Cancel
        </a>
      </div>
    </section>
  )
}
