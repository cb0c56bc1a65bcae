/** What acts: forms that the address of their document answers. */
import type { ComponentProps, JSX } from 'preact'
import { describePart, type PartId, type PinnedPrompt } from '../../core/prompt.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { encodeSlug, promptPath } from '../addresses.ts'
import type { Act, PageRow } from '../shown.ts'
import { Remote, useView } from './parts.tsx'

interface FormProps extends ComponentProps<'form'> {
  /** Default: the button that is used says it. */
  readonly act?: Act
  /** The changes or parts that the act is about. */
  readonly of?: readonly (PartId | PageRow)[]
  /** What is in sight after the act. Default: the beginning of the document. */
  readonly at?: PartId | undefined
  /** The hash of the lock that was on the screen. Default: of the lock that is. */
  readonly lock?: string | undefined
}

/** A form with what was on the screen: what it names is acted on, or the act is refused. */
export function Form({ act, of = [], at, lock, children, ...more }: FormProps): JSX.Element {
  const { base } = useView()
  return (
    <form method="post" action={at && `#${idOf(at)}`} {...more}>
      {act && <input type="hidden" name="act" value={act} />}
      <input type="hidden" name="lock" value={lock ?? base} />
      {of.map((part) => (
        <input type="hidden" name="row" value={nameOf(part)} />
      ))}
      {children}
    </form>
  )
}

/** What forms send for a part. */
function nameOf(part: PartId | PageRow): string {
  return 'name' in part ? part.name : JSON.stringify([part.environment, part.slug])
}

/** The id of a part in a document. */
export function idOf({ slug, environment }: PartId): string {
  return `${environment}-${encodeSlug(slug)}`
}

interface ActButtonProps extends FormProps {
  readonly kind?: 'primary' | ''
  /** Whether those who can't see where it is hear which part it is about. */
  readonly isNamed?: true
  readonly children: string
}

/** A form that is one button. */
export function ActButton({ kind = '', isNamed, children, ...form }: ActButtonProps): JSX.Element {
  const [part] = form.of ?? []
  const label = isNamed && part ? labelOf(children, part) : undefined
  return (
    <Form {...form}>
      <button class={`button ${kind}`} aria-label={label} children={children} />
    </Form>
  )
}

function labelOf(action: string, part: PartId): string {
  return `${action} ${makeVisible(describePart(part))}`
}

export function editPath({ slug, environment }: PartId): string {
  return promptPath(slug, 'edit') + (environment === 'test' ? '?part=test' : '')
}

interface PartProps {
  readonly part: PinnedPrompt
  readonly at?: PartId | undefined
}

/** What can be done to a pinned part, whatever waits for it. */
export function PartButtons({ part, at }: PartProps): JSX.Element {
  const id = `hold-${idOf(part)}`
  const verb = part.held ? 'Change the reason' : 'Hold'
  return (
    <>
      <button class="button" popovertarget={id} aria-label={labelOf(verb, part)} children={verb} />
      <Form act="hold" of={[part]} at={at} id={id} popover="auto" class="decision stack">
        <strong>
          {verb} <Remote text={`${describePart(part)} ${part.version}`} />
        </strong>
        <Field name="reason" label={REASON} text={part.held?.reason} autofocus />
        <div class="flow">
          <button class="button primary">{part.held ? 'Save' : 'Hold it'}</button>
          <button type="button" class="button" popovertarget={id} popovertargetaction="hide">
            Cancel
          </button>
        </div>
      </Form>
      <a class="button" href={editPath(part)} aria-label={labelOf('Edit', part)} children="Edit" />
    </>
  )
}

export const REASON = 'Reason (visible in the pull request)'

interface FieldProps extends ComponentProps<'textarea'> {
  readonly label: string
  readonly text: string | undefined
}

/** Browsers ignore a line break behind the tag, so the text has one more. */
export function Field({ label, text = '', ...more }: FieldProps): JSX.Element {
  return (
    <label class="field">
      <Remote text={label} />
      <textarea class="input" rows={1} spellcheck={false} {...more} children={`\n${text}`} />
    </label>
  )
}
