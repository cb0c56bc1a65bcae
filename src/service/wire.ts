import * as v from 'valibot'
import {
  environment,
  findProblems,
  finiteNumber,
  isRecord,
  object,
  printPath,
  type SchemaProblem,
  string,
} from '../core/schema.ts'
import type { PromptList, ServedPrompt } from '../core/service.ts'
import { findDuplicates } from '../core/text/order.ts'
import { formatCount } from '../core/text/pluralize.ts'
import { AttemptFailure } from './retry.ts'
import { type HttpResponse, getHeader } from './http.ts'
import type { RequestContext } from './interpret-outcome.ts'
import { clip, bodyExcerpt } from './mask.ts'

// What is accepted. Code further inside relies on it.
const MAX_NAME = 1000
const MAX_TEXT = 10 * 1024 * 1024

const maxName = v.maxLength<string, number, string>(
  MAX_NAME,
  `at most ${formatCount(MAX_NAME)} characters`,
)
const boundedName = v.pipe(string, maxName)
const text = v.pipe(string, v.maxBytes(MAX_TEXT, `at most ${formatCount(MAX_TEXT)} bytes`))

const SUMMARY = object({
  slug: boundedName,
  folder: boundedName,
  model: boundedName,
  liveVersion: boundedName,
  stagingVersion: v.nullable(v.pipe(v.string('a string or null'), maxName)),
})

const LIST = object({ prompts: v.array(SUMMARY, 'an array'), planStatus: string })

const PROMPT = object({
  slug: boundedName,
  folder: boundedName,
  model: boundedName,
  temperature: finiteNumber,
  version: boundedName,
  source: text,
  systemSource: text,
  userSource: text,
  environment,
})

/**
 * Reads the response with the list.
 *
 * @throws AttemptFailure, also for a page of a list and for duplicate slugs
 */
export function readList(answer: HttpResponse, context: RequestContext): PromptList {
  const json = readJson(answer, context)
  const sign = detectPagination(getHeader(answer, 'link'), json)
  if (sign !== undefined) throw new AttemptFailure('ANSWER_PAGINATED', { url: context.url, sign })
  const list = validate<PromptList>(LIST, json, context)
  const slugs = findDuplicates(list.prompts.map(({ slug }) => slug))
  if (slugs.length > 0) throw new AttemptFailure('SLUG_DUPLICATE', { slugs })
  return list
}

/**
 * Reads the response with one prompt.
 *
 * @throws AttemptFailure, also if its slug or environment is not the requested one
 */
export function readPrompt(
  answer: HttpResponse,
  context: RequestContext,
  requested: Pick<ServedPrompt, 'slug' | 'environment'>,
): ServedPrompt {
  const prompt = validate<ServedPrompt>(PROMPT, readJson(answer, context), context)
  const problems = (['slug', 'environment'] as const).flatMap((field) => {
    const [expected, received] = [requested[field], prompt[field]]
    if (expected === received) return []
    const [one, other] = [clip(expected, context.mask), clip(received, context.mask)]
    return `$.${field}: expected “${one}”, received “${other}”`
  })
  if (problems.length > 0) throw invalid(problems, context)
  return prompt
}

/** Returns the JSON value of a response with status 200. */
function readJson(answer: HttpResponse, context: RequestContext): unknown {
  const { url } = context
  const foreign = nonJsonType(answer)
  if (answer.body.length === 0) throw new AttemptFailure('ANSWER_EMPTY', { url, status: 200 })
  if (foreign !== undefined) throw notJson(foreign, answer, context)
  const decoded = decodeUtf8(answer.body)
  if (decoded === undefined) throw new AttemptFailure('ANSWER_NOT_UTF8', { url })
  if (decoded.trim() === '') throw new AttemptFailure('ANSWER_EMPTY', { url, status: 200 })
  try {
    return JSON.parse(decoded)
  } catch {
    // No cause, because the parser's message quotes the text, which may contain a part of the key.
    if (!endsEarly(decoded)) throw notJson('invalid JSON', answer, context)
    throw new AttemptFailure('ANSWER_INCOMPLETE', { url, attempts: 1 }, { retry: 'backoff' })
  }
}

/** Returns the content type of a response if it is not JSON. Without a content type it may be JSON. */
function nonJsonType(answer: HttpResponse): string | undefined {
  const type = getHeader(answer, 'content-type') ?? ''
  const encoding = getHeader(answer, 'content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity') return `${type} encoded as ${encoding}`.trim()
  return type === '' || /^[^;]*\bjson\b/i.test(type) ? undefined : type
}

function notJson(contentType: string, { body }: HttpResponse, { url, mask }: RequestContext) {
  const excerpt = contentType.includes(' encoded as ') ? '' : bodyExcerpt(body, mask)
  return new AttemptFailure('ANSWER_NOT_JSON', { url, contentType, excerpt })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Strips a byte order mark. @returns `undefined` for bytes that are not UTF-8 */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether invalid JSON may be truncated: a string, array or object is open at the end. */
function endsEarly(json: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index] ?? ''
    if (inString && character === '\\') index++
    else if (character === '"') inString = !inString
    else if (!inString && '{['.includes(character)) depth++
    else if (!inString && '}]'.includes(character)) depth--
  }
  return /^\s*[{["]/.test(json) && (inString || depth > 0)
}

/** Validates a value. A failure has all problems with their JSON paths. */
function validate<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  context: RequestContext,
): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw invalid(findProblems(schema, value).map(describe), context)
}

function invalid(problems: readonly string[], { subject }: RequestContext) {
  return new AttemptFailure('ANSWER_INVALID', {
    problems: problems.map((problem) => `${subject}: ${problem}`),
  })
}

function describe({ path, text: problem, input }: SchemaProblem): string {
  const received = input === undefined ? '' : `, received ${typeName(input)}`
  return `${printPath(path, '$')}: ${problem}${received}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value
}

/** Fields that refer to a next page or report one, in the common spellings. */
const SIGN = /^(?:next|cursor$|continuation|has_?(?:more|next))/i

/**
 * Returns what indicates that a list is only one page, or `undefined`. The service returns the whole
 * workspace; this detects if that changes. On a last page, such fields are empty.
 *
 * @param link - the `Link` header
 */
function detectPagination(link: string = '', body: unknown): string | undefined {
  if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next[\s"]|next\b)/i.test(link))
    return 'a Link header with rel=next'
  const outer = listFields(body)
  const inner = outer.flatMap(([, value]) => listFields(value))
  const sign = [...outer, ...inner].find(([name, value]) => SIGN.test(name) && !isEmpty(value))
  return sign && `the field ${sign[0]}`
}

function listFields(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) ? Object.keys(value).length === 0 : !value
}
