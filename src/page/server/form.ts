import { redact } from '../../core/secrets.ts'
import type { PartId } from '../../core/prompt.ts'
import { type Act, READS, type Typed, WRITES } from '../shown.ts'

/** What a form has sent. */
export interface Form {
  readonly act: Act
  /** The hash of the lock that was on the screen. */
  readonly lock: string | null
  /** What is taken or read. */
  readonly rows: readonly Named[]
  /** The first of these: what else is decided on. Without any, the prompt that no lock has. */
  readonly part: Named
  /** The git revision that is restored, as the address of its document has it. */
  readonly commit: string
  readonly typed: Typed
}

/** A part or a row, as its name tells it: also of one that is not there any more. */
interface Named extends PartId {
  readonly name: string
  /** The label that was on the screen for the next version of a row; `null` for none. */
  readonly version: string | null
}

const NOTHING: Named = { name: '', environment: 'live', slug: '', version: null }

/** Reads a form; `undefined` if it is none of this page. */
export function readForm(fields: URLSearchParams, query: URLSearchParams): Form | undefined {
  const act = [...READS, ...WRITES].find((name) => name === fields.get('act'))
  const names = fields.getAll('row')
  const rows = names.flatMap((name) => readName(name) ?? [])
  if (act === undefined || rows.length < names.length) return undefined
  const [part = NOTHING] = rows
  // Browsers send every line break as CRLF.
  const typed = new Map([...fields].map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]))
  // What was on the screen beside a form that goes on: the lock as it is now.
  const lock = fields.get(act === 'rebase' ? 'now' : 'lock')
  return { act, lock, rows, part, commit: query.get('at') ?? '', typed }
}

function readName(name: string): Named | undefined {
  try {
    const [environment, slug, , version = null] = JSON.parse(name) as unknown[]
    const isPart = (environment === 'live' || environment === 'test') && typeof slug === 'string'
    if (isPart && (version === null || typeof version === 'string'))
      return { name, environment, slug, version }
  } catch {
    // No form of the page sends this.
  }
  return undefined
}

/** What a person wants in a field: one that comes back as it was drawn has the stored text, byte for byte. */
export function typedText(
  stored: string,
  typed: string | undefined,
  secrets: readonly string[],
): { readonly text: string; readonly isLossy: boolean } {
  if (typed === undefined || isAsDrawn(stored, typed, secrets))
    return { text: stored, isLossy: false }
  return { text: typed, isLossy: !isAsDrawn(stored, stored, secrets) }
}

/** Whether a field comes back as it was drawn for a stored text. */
export function isAsDrawn(
  stored: string,
  typed: string | undefined,
  secrets: readonly string[],
): boolean {
  return typed === inField(redact(stored, secrets))
}

/** A text as a browser has it in a field. */
function inField(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd')
}
