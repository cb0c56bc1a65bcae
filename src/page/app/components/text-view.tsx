import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { OpenEntry } from '../entries.ts'
import { outlineOf, type TextPlace } from '../places.ts'
import { useRouter, useSetting } from '../use-route.ts'
import { SettingChoice } from './choice.tsx'
import { FIND, FindBar } from './find-bar.tsx'
import { Inspector } from './inspector.tsx'
import { TextPanel } from './text-panel.tsx'

const FORMATS = [
  { value: 'raw', label: 'Raw' },
  { value: 'markdown', label: 'Markdown' },
] as const
const WIDTHS = [{ value: 'column' }, { value: 'full' }] as const

/** The stored texts of a prompt, next to what is in them and the places that use it. */
export function TextView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const [format, setFormat] = useSetting('as', FORMATS)
  const [width, setWidth] = useSetting('width', WIDTHS)
  const { settings } = useRouter().route
  const [target, setTarget] = useState<TextPlace>()
  const texts = useRef<HTMLDivElement>(null)
  const { prompt } = entry
  const isFull = width === 'full'
  const jump = (place: TextPlace): void => {
    if (headingIndex(entry, place) === -1) setFormat('raw')
    setTarget({ ...place })
  }
  // Markdown has no lines, only headings.
  useEffect(() => {
    if (target === undefined || format === 'raw') return
    const selector = `[data-field="${target.field}"] .markdown > .heading`
    const headings = texts.current?.querySelectorAll(selector)
    headings?.[headingIndex(entry, target)]?.scrollIntoView({ block: 'start' })
  }, [target, format])
  const shared = { prompt, format, target, isWhole: settings.has(FIND) }
  return (
    <div class={`columns ${width}`}>
      <div class="texts" ref={texts}>
        <div class="toolbar flow">
          <SettingChoice name="as" label="How the texts are shown" options={FORMATS} />
          <button
            type="button"
            class="button"
            aria-pressed={isFull}
            onClick={() => setWidth(isFull ? 'column' : 'full')}
          >
            Full width
          </button>
          <FindBar container={texts} content={`${format} ${prompt.integrity}`} />
        </div>
        <TextPanel field="system" {...shared} />
        {prompt.user === '' ? (
          <p class="dim none">No user text.</p>
        ) : (
          <TextPanel field="user" {...shared} />
        )}
        {prompt.join === null && <TextPanel field="source" {...shared} />}
      </div>
      {!isFull && <Inspector entry={entry} onJump={jump} />}
    </div>
  )
}

/** The index of the heading at a place among those of its text; -1 if there is none. */
function headingIndex({ prompt }: OpenEntry, { field, line }: TextPlace): number {
  const headings = outlineOf(prompt).filter((heading) => heading.field === field)
  return headings.findIndex((heading) => heading.line === line)
}
