import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { OpenEntry } from '../entries.ts'
import { outlineOf, type TextPlace } from '../places.ts'
import { useRouter, useSetting } from '../use-route.ts'
import { SettingChoice } from './choice.tsx'
import { FindBar } from './find-bar.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { TextPanel } from './text-panel.tsx'
import { useFind } from './use-find.ts'

const FORMATS = [
  { value: 'raw', label: 'Raw' },
  { value: 'markdown', label: 'Markdown' },
] as const
const WIDTHS = [{ value: 'column' }, { value: 'full' }] as const

/** The setting with the text to find. */
const FIND = 'find'

/** The stored texts of a prompt, next to what is in them and the places that use it. */
export function TextView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const [format, setFormat] = useSetting('as', FORMATS)
  const [width, setWidth] = useSetting('width', WIDTHS)
  const { route, set } = useRouter()
  const [target, setTarget] = useState<TextPlace>()
  const texts = useRef<HTMLDivElement>(null)
  const wanted = route.settings.get(FIND) ?? ''
  const { system, user, source, join, integrity } = entry.prompt
  const found = useFind(texts, wanted, `${format} ${integrity}`)
  useHeading(texts, format === 'markdown' ? target : undefined, entry)
  const jump = (place: TextPlace): void => {
    const isHeading = outlineOf(entry.prompt).some((heading) => isSamePlace(heading, place))
    if (!isHeading) setFormat('raw')
    setTarget({ ...place })
  }
  const shared = { entry, format, target, isWhole: wanted !== '' }
  return (
    <div class={`columns ${width}`}>
      <div class="texts" ref={texts}>
        <div class="toolbar flow">
          <SettingChoice name="as" label="How the texts are shown" options={FORMATS} />
          <button
            type="button"
            class="button"
            aria-pressed={width === 'full'}
            onClick={() => setWidth(width === 'full' ? 'column' : 'full')}
          >
            Full width
          </button>
          <FindBar text={wanted} onText={(text) => set(FIND, text)} found={found} />
        </div>
        <TextPanel name="System" field="system" text={system} {...shared} />
        {user === '' ? (
          <p class="dim none">No user text.</p>
        ) : (
          <TextPanel name="User" field="user" text={user} {...shared} />
        )}
        {join === null && <TextPanel name="Whole text" field="source" text={source} {...shared} />}
      </div>
      {width === 'column' && <Inspector entry={entry} onJump={jump} />}
    </div>
  )
}

function isSamePlace(one: TextPlace, other: TextPlace): boolean {
  return one.field === other.field && one.line === other.line
}

/** Scrolls to a heading in the Markdown of a text, which has no lines. */
function useHeading(
  texts: { readonly current: HTMLElement | null },
  target: TextPlace | undefined,
  { prompt }: OpenEntry,
): void {
  useEffect(() => {
    if (target === undefined) return
    const headings = outlineOf(prompt).filter(({ field }) => field === target.field)
    const index = headings.findIndex((heading) => isSamePlace(heading, target))
    const selector = `[data-field="${target.field}"] .markdown > .heading`
    const shown = texts.current?.querySelectorAll(selector) ?? []
    shown[index]?.scrollIntoView({ block: 'start' })
  }, [target])
}
