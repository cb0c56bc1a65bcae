import type { Digest } from '../core/lock/integrity.ts'
import { headerEnvironment, generatedHeader, type HeaderInput } from './declarations-header.ts'
import type { ModulePlan } from './plan-module.ts'
import {
  removePrintedMembers,
  type MembersStyle,
  printExports,
  printMembers,
} from './print-members.ts'

/** Raised when the frame of the declarations changes, so that files of an older version are stale. */
const FORMAT_VERSION = 4

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
  const checksum = computeChecksum(listTokens(frame), digest)
  return `${generatedHeader(header)}// Checksum: ${checksum}\n\n${body}`
}

/**
 * Whether declarations are those of a plan and have an untouched frame, in any formatting.
 *
 * @param text - with LF as line ends
 * @param style - in which the members are printed
 */
export function areDeclarationsCurrent(
  text: string,
  plan: ModulePlan,
  style: MembersStyle,
): boolean {
  const [, checksum] = /^\/\/ Checksum: (\S+)$/m.exec(text) ?? []
  if (checksum === undefined || headerEnvironment(text) !== plan.environment) return false
  const frame = findFrame(text, plan, style)
  return frame !== undefined && checksum === computeChecksum(frame, style.digest)
}

/** In any order of the tokens, since Biome and others sort exports. */
function computeChecksum(frame: string, digest: Digest): string {
  return digest(JSON.stringify([FORMAT_VERSION, frame.split('\n').toSorted()]))
}

/** The tokens of declarations without those of the lists; `undefined` where these differ. */
function findFrame(text: string, plan: ModulePlan, style: MembersStyle): string | undefined {
  const printed = printedFrame(text, plan, style.digest)
  if (printed !== undefined) return listTokens(printed)
  const frame = removePart(listTokens(text), listTokens(printMembers(plan, style)))
  return frame && removePart(frame, listTokens(expectedExports(text, plan)))
}

/** Declarations without their lists; `undefined` where these are not as printed. */
function printedFrame(text: string, plan: ModulePlan, digest: Digest): string | undefined {
  const frame = removePrintedMembers(text, plan, digest)
  return frame && removePart(frame, expectedExports(text, plan))
}

/** What declarations of this kind export under `virtual:prompts/all`: nothing, beside a real module. */
function expectedExports(text: string, plan: ModulePlan): string {
  return /^declare module /m.test(text) ? printExports(plan) : ''
}

function removePart(text: string, part: string): string | undefined {
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
function listTokens(text: string): string {
  let tokens = ''
  let previous = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token) && !SIGNIFICANT.test(token)) continue
    // The name of a property may be with or without quotes.
    const isText = previous === 'readonly' || /^["']/.test(token)
    tokens += `${isText ? JSON.stringify(stripQuotes(token)) : token}\n`
    previous = token
  }
  return tokens
}

/** A literal's content without regard to its quotes; other escapes stay as they are. */
export function stripQuotes(token: string): string {
  if (!/^["']/.test(token)) return token
  return token
    .slice(1, -1)
    .replaceAll(/\\(.)/gs, (escape, character: string) =>
      character === '"' || character === "'" ? character : escape,
    )
}
