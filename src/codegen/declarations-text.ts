import type { Digest } from '../core/lock/integrity.ts'
import { headerEnvironment, generatedHeader, type HeaderInput } from './declarations-header.ts'
import type { ModulePlan } from './plan-module.ts'
import {
  removePrintedMembers,
  type MembersStyle,
  printDeclaredExports,
  printMembers,
} from './print-members.ts'

/** Incremented if the frame of the declarations changes, so that older files are stale. */
const FORMAT_VERSION = 5

/** Input of {@link withHeader}. */
export interface DeclarationsInput extends HeaderInput {
  /** The declarations, without a header. */
  readonly body: string
  readonly plan: ModulePlan
  readonly digest: Digest
}

/**
 * Adds the header to declarations. It has a checksum of the frame: everything except the members and the
 * exports of `virtual:prompts/all`. These are compared with the lock; printing the frame needs ts-morph.
 */
export function withHeader({ body, plan, digest, ...header }: DeclarationsInput): string {
  const frame = printedFrame(body, plan, digest)
  if (frame === undefined) throw new RangeError('The members of Prompts are not as printed.')
  const checksum = computeChecksum(listTokens(frame), digest)
  return `${generatedHeader(header)}// Checksum: ${checksum}\n\n${body}`
}

/**
 * Whether declarations match a plan and have an unchanged frame, in any formatting.
 *
 * @param text - with LF line ends
 * @param style - the style of the members
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

/** Independent of the order of tokens, because Biome and other tools sort exports. */
function computeChecksum(frame: string, digest: Digest): string {
  return digest(JSON.stringify([FORMAT_VERSION, frame.split('\n').toSorted()]))
}

/** Returns the tokens of the frame; `undefined` if members or exports differ from the plan. */
function findFrame(text: string, plan: ModulePlan, style: MembersStyle): string | undefined {
  const printed = printedFrame(text, plan, style.digest)
  if (printed !== undefined) return listTokens(printed)
  const frame = removePart(listTokens(text), listTokens(printMembers(plan, style)))
  return frame && removePart(frame, listTokens(expectedExports(text, plan)))
}

/** Returns the frame; `undefined` if members or exports are not exactly as printed. */
function printedFrame(text: string, plan: ModulePlan, digest: Digest): string | undefined {
  const frame = removePrintedMembers(text, plan, digest)
  return frame && removePart(frame, expectedExports(text, plan))
}

/** Prints the exports of `virtual:prompts/all`; empty for declarations of a real module. */
function expectedExports(text: string, plan: ModulePlan): string {
  return /^declare module /m.test(text) ? printDeclaredExports(plan) : ''
}

function removePart(text: string, part: string): string | undefined {
  const start = text.indexOf(part)
  return start === -1 ? undefined : text.slice(0, start) + text.slice(start + part.length)
}

/** Formatters add and remove `;`, `,` and a leading `|`. */
const TOKEN =
  /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{ID_Continue}$]+|[^\s;,|]/gu

/** The comments that are compared: the hash of a member, and the reference to the map. */
const SIGNIFICANT = /^\/\/(?: [\w-]{8}$|#)/

/**
 * Returns the tokens that formatters do not change, one per line: words, strings and punctuation. Doc
 * comments are left out, because some formatters change them; the hash of a member covers its own.
 */
function listTokens(text: string): string {
  let tokens = ''
  let previous = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token) && !SIGNIFICANT.test(token)) continue
    // The name of a property may have quotes or not.
    const isText = previous === 'readonly' || /^["']/.test(token)
    tokens += `${isText ? JSON.stringify(stripQuotes(token)) : token}\n`
    previous = token
  }
  return tokens
}

/** Returns the content of a literal without its quotes. Escapes other than those of quotes stay. */
export function stripQuotes(token: string): string {
  if (!/^["']/.test(token)) return token
  return token
    .slice(1, -1)
    .replaceAll(/\\(.)/gs, (escape, character: string) =>
      character === '"' || character === "'" ? character : escape,
    )
}
