import { isUtf8 } from 'node:buffer'
import * as v from 'valibot'
import {
  environment,
  findProblems,
  isRecord,
  object,
  printPath,
  type SchemaProblem,
  string,
} from '../core/schema.ts'
import { joinTexts, MAX_TEXT, type PartId, type PinnedPrompt } from '../core/prompt.ts'
import {
  type ListedPart,
  listedParts,
  type PromptList,
  type PromptSummary,
  type Refusal,
} from '../core/service.ts'
import { missingSettings, settingSchemas, settingsOf } from '../core/settings.ts'
import { type Syntax, SYNTAXES, toTokens } from '../core/syntax.ts'
import { findDuplicates, sortBySlug } from '../core/text/order.ts'
import { formatCount } from '../core/text/pluralize.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type HttpResponse, type Request, statusFailure } from './http.ts'
import { bodyExcerpt, clip, type Mask } from './mask.ts'
import { AttemptFailure } from './retry.ts'

// What is accepted. Code further inside relies on it.
const MAX_NAME = 1000

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

const CUSTOM_SUMMARY = object({
  slug: boundedName,
  folder: v.optional(boundedName, ''),
  model: v.optional(boundedName),
  liveVersion: v.nullable(boundedName),
  stagingVersion: v.nullish(boundedName, null),
})
const hasVersion = v.check(
  (entry: PromptSummary) => listedParts(entry).length > 0,
  'a live or a staging version',
)
const CUSTOM_LIST = v.array(v.pipe(CUSTOM_SUMMARY, hasVersion), 'an array')

// The list has the folder, by which prompts are selected.
const { folder: _, ...customSettings } = settingSchemas(boundedName, (schema) => v.nullish(schema))

const CUSTOM_PROMPT = object({
  ...customSettings,
  version: v.optional(boundedName),
  systemSource: text,
  userSource: text,
  source: v.optional(text),
  note: v.nullish(string),
  syntax: v.optional(v.picklist(SYNTAXES, SYNTAXES.join(', '))),
})
const REFUSAL = object({ refused: string })

const PROMPT = object({
  slug: boundedName,
  ...settingSchemas(boundedName, (schema, { missing, since }) =>
    since === 1 ? schema : v.nullish(schema, missing),
  ),
  source: text,
  systemSource: text,
  userSource: text,
  environment,
})

/** Reads the response with the list, which has any order. A page of a list and duplicate slugs are errors. */
export function readList(response: HttpResponse, request: Request): PromptList {
  const json = readJson(response, request)
  const sign = detectPagination(response.header('link'), json)
  if (sign !== undefined) throw new AttemptFailure('ANSWER_PAGINATED', { url: request.url, sign })
  const list = validate(LIST, json, request)
  const slugs = findDuplicates(list.prompts.map(({ slug }) => slug))
  if (slugs.length > 0) throw new AttemptFailure('SLUG_DUPLICATE', { slugs })
  return { ...list, prompts: sortBySlug(list.prompts) }
}

/**
 * Reads the response with one prompt. Another slug or environment than the requested one is an error.
 *
 * @param requested - the slug, and the environment of the key
 */
export function readPrompt(
  response: HttpResponse,
  request: Request,
  requested: PartId,
): Omit<PinnedPrompt, 'environment'> {
  const prompt = validate(PROMPT, readJson(response, request), request)
  const problems = (['slug', 'environment'] as const).flatMap((field) => {
    if (requested[field] === prompt[field]) return []
    const [expected, received] = [requested, prompt].map((one) => clip(one[field], request.mask))
    return `$.${field}: expected “${expected}”, received “${received}”`
  })
  if (problems.length > 0) throw invalid(problems, request)
  const { systemSource: system, userSource: user, source } = prompt
  return { ...settingsOf(prompt), system, user, source }
}

const decoder = new TextDecoder()

/** Returns the JSON value of a response with status 200. */
export function readJson(response: HttpResponse, request: Request): unknown {
  const { url, mask } = request
  if (response.status !== 200) throw statusFailure(response, request)
  // Without a byte order mark, which the decoder strips.
  const decoded = decoder.decode(response.body)
  if (decoded.trim() === '') throw new AttemptFailure('ANSWER_EMPTY', { url, status: 200 })
  const notJson = (contentType: string, excerpt = bodyExcerpt(response.body, mask)) =>
    new AttemptFailure('ANSWER_NOT_JSON', { url, contentType, excerpt })
  const type = response.header('content-type') ?? ''
  const encoding = response.header('content-encoding')?.trim() ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw notJson(`${type} encoded as ${encoding}`.trim(), '')
  // Without a content type it may be JSON.
  if (type !== '' && !/^[^;]*\bjson\b/i.test(type)) throw notJson(type)
  // One that ends early may end within a character.
  if (!isUtf8(response.body) && !endsEarly(decoded))
    throw new AttemptFailure('ANSWER_NOT_UTF8', { url })
  try {
    return JSON.parse(decoded)
  } catch {
    // No cause, because the parser's message quotes the text, which may contain a part of the key.
    if (!endsEarly(decoded)) throw notJson('invalid JSON')
    throw new AttemptFailure('ANSWER_INCOMPLETE', { url, attempts: 1 }, { retry: 'backoff' })
  }
}

/** Whether invalid JSON may be truncated: a string, array or object is open at the end. */
function endsEarly(json: string): boolean {
  let depth = 0
  let inString = false
  for (const character of json.replaceAll(/\\./g, '')) {
    if (character === '"') inString = !inString
    else if (!inString && '{['.includes(character)) depth++
    else if (!inString && '}]'.includes(character)) depth--
  }
  return /^\s*[{["]/.test(json) && (inString || depth > 0)
}

export function readCustomList(answer: unknown): PromptList {
  const prompts = parse(CUSTOM_LIST, answer)
  const slugs = findDuplicates(prompts.map(({ slug }) => slug))
  if (slugs.length > 0) throw new PromptsError('SLUG_DUPLICATE', { slugs })
  return { prompts: sortBySlug(prompts), planStatus: 'active' }
}

/**
 * Returns what a function answered for a version of the list. A label that it was not asked for, and another model
 * than the list has, are errors: list and answer would never agree.
 */
export function readCustomPrompt(
  answer: unknown,
  part: ListedPart,
  mask: Mask,
): PinnedPrompt | Refusal {
  if (isRecord(answer) && (answer['refused'] ?? null) !== null) return parse(REFUSAL, answer)
  const { systemSource, userSource, syntax, note: __, ...prompt } = parse(CUSTOM_PROMPT, answer)
  const { version = part.version, source: joined, ...settings } = prompt
  const { slug, environment: view, folder, model = '' } = part
  assertListed('version', part.version, version)
  // The list has the model of the live version.
  if (view === 'live') assertListed('model', part.model, settings.model)
  const texts = inTokens({ system: systemSource, user: userSource, source: joined }, syntax, mask)
  if ('refused' in texts) return texts
  const { system, user, source = joinTexts({ system, user }) } = texts
  const present = Object.entries(settings).filter(([, value]) => (value ?? null) !== null)
  const fields = { ...missingSettings(), folder, model, ...Object.fromEntries(present) }
  return { slug, ...fields, version, environment: view, system, user, source }
}

function assertListed(field: string, listed: string | undefined, answered: unknown): void {
  if (listed === undefined || (answered ?? listed) === listed) return
  throw new Error(`$.${field}: expected “${listed}”, received “${answered}”`)
}

interface Texts {
  system: string
  user: string
  source: string | undefined
}

/** Texts with tokens, or why one of them can't have any. */
function inTokens(texts: Texts, syntax: Syntax | undefined, mask: Mask): Texts | Refusal {
  if (syntax === undefined) return texts
  const converted = { ...texts }
  for (const [field, stored] of Object.entries(texts)) {
    if (stored === undefined) continue
    const result = toTokens(stored, syntax, mask)
    if ('refused' in result) return { refused: `${field}: ${result.refused}` }
    converted[field as keyof Texts] = result.text
  }
  return converted
}

function parse<T>(schema: v.GenericSchema<unknown, T>, answer: unknown): T {
  const result = v.safeParse(schema, answer)
  if (result.success) return result.output
  throw new Error(findProblems(schema, answer).map(describe).join('; '))
}

/** Validates a value. A failure has all problems with their JSON paths. */
function validate<T>(schema: v.GenericSchema<unknown, T>, value: unknown, request: Request): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw invalid(findProblems(schema, value).map(describe), request)
}

function invalid(problems: readonly string[], { path }: Request): AttemptFailure {
  const subject = `GET ${path}: `
  return new AttemptFailure('ANSWER_INVALID', { problems: problems.map((one) => subject + one) })
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

/**
 * Returns what indicates that a list is only one page, or `undefined`. The service returns the whole
 * workspace; this detects if that changes. On a last page, such a field is empty.
 *
 * @param link - the `Link` header
 */
function detectPagination(link: string = '', body: unknown): string | undefined {
  if (/\brel="?next\b/i.test(link)) return 'a Link header with rel=next'
  if (!isRecord(body)) return undefined
  const sign = Object.entries(body).find(([name, value]) => /^next/i.test(name) && value)
  return sign && `the field ${sign[0]}`
}
