import type { Digest } from '../core/lock/integrity.ts'
import { generatedFrom, generatedHeader, type HeaderInput } from './declarations-header.ts'
import type { ModulePlan } from './plan-module.ts'
import {
  cutPrintedMembers,
  type MembersStyle,
  printExports,
  printMembers,
} from './print-members.ts'

/** Raised when the frame of the declarations changes, so that files of an older version are stale. */
const FORMAT = 4

/** Printed declarations and what completes them to a file. */
export interface DeclarationsInput extends HeaderInput {
  /** The declarations, without a header. */
  readonly body: string
  /** What they are printed from. */
  readonly plan: ModulePlan
  readonly digest: Digest
}

/**
 * Puts the header before declarations. It has a checksum of all but the members and the exports of
 * `virtual:prompts/all`, which are compared with the lock: printing the rest takes ts-morph.
 */
export function withHeader({ body, plan, digest, ...header }: DeclarationsInput): string {
  const frame = printedFrame(body, plan, digest)
  if (frame === undefined) throw new RangeError('The members of Prompts are not as printed.')
  const checksum = checksumOf(tokensOf(frame), digest)
  return `${generatedHeader(header)}// Checksum: ${checksum}\n\n${body}`
}

/**
 * Whether declarations are those of a plan and have an untouched frame, in any formatting.
 *
 * @param text - with LF as line ends
 * @param style - in which the members are printed
 */
export function areCurrent(text: string, plan: ModulePlan, style: MembersStyle): boolean {
  const [, checksum] = /^\/\/ Checksum: (\S+)$/m.exec(text) ?? []
  if (checksum === undefined || generatedFrom(text) !== plan.environment) return false
  const frame = frameOf(text, plan, style)
  return frame !== undefined && checksum === checksumOf(frame, style.digest)
}

/** In any order of the tokens, since Biome and others sort exports. */
function checksumOf(frame: string, digest: Digest): string {
  return digest(JSON.stringify([FORMAT, frame.split('\n').toSorted()]))
}

/** The tokens of declarations without those of the lists; `undefined` where these differ. */
function frameOf(text: string, plan: ModulePlan, style: MembersStyle): string | undefined {
  const printed = printedFrame(text, plan, style.digest)
  if (printed !== undefined) return tokensOf(printed)
  const frame = cut(tokensOf(text), tokensOf(printMembers(plan, style)))
  return frame && cut(frame, tokensOf(exportsIn(text, plan)))
}

/** Declarations without their lists; `undefined` where these are not as printed. */
function printedFrame(text: string, plan: ModulePlan, digest: Digest): string | undefined {
  const frame = cutPrintedMembers(text, plan, digest)
  return frame && cut(frame, exportsIn(text, plan))
}

/** What declarations of this kind export under `virtual:prompts/all`: nothing, beside a real module. */
function exportsIn(text: string, plan: ModulePlan): string {
  return /^declare module /m.test(text) ? printExports(plan) : ''
}

function cut(text: string, part: string): string | undefined {
  const start = text.indexOf(part)
  return start === -1 ? undefined : text.slice(0, start) + text.slice(start + part.length)
}

/** Formatters add and remove `;`, `,` and a leading `|`. */
const TOKEN =
  /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{ID_Continue}$]+|[^\s;,|]/gu

/** The comments that count: the hash at the end of a member, and the one that names the map. */
const SIGNIFICANT = /^\/\/(?: [\w-]{8}$|#)/

/**
 * What of a text no formatter changes, a token per line: words, strings and marks. The hashes of
 * members stand for their doc comments, which some formatters rewrite.
 */
function tokensOf(text: string): string {
  let tokens = ''
  let previous = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token) && !SIGNIFICANT.test(token)) continue
    // The name of a property may be with or without quotes.
    const isText = previous === 'readonly' || /^["']/.test(token)
    tokens += `${isText ? JSON.stringify(unquote(token)) : token}\n`
    previous = token
  }
  return tokens
}

/** A literal's content without regard to its quotes; other escapes stay as they are. */
export function unquote(token: string): string {
  if (!/^["']/.test(token)) return token
  return token
    .slice(1, -1)
    .replaceAll(/\\(.)/gs, (escape, character: string) =>
      character === '"' || character === "'" ? character : escape,
    )
}
