import * as v from 'valibot'
import { joinTexts, type Lock, pairParts, type PinnedPrompt } from '../core/prompt.ts'
import {
  exactObject,
  findProblems,
  isRecord,
  printPath,
  type SchemaProblem,
  string,
} from '../core/schema.ts'
import { settingSchemas } from '../core/settings.ts'
import { indexBySlug } from '../core/text/order.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type ErrorCode, isScalar, LineCounter, parseDocument } from 'yaml'

/** A version of a prompt, with its settings. */
export type WorkspaceVersion = Omit<PinnedPrompt, 'environment'>

export interface WorkspacePrompt {
  readonly slug: string
  readonly live: WorkspaceVersion
  /** `null` if there is none; test keys then read the live version. */
  readonly staging: WorkspaceVersion | null
}

export interface Workspace {
  readonly planStatus: string
  /** By slug, in the order of the list. */
  readonly prompts: ReadonlyMap<string, WorkspacePrompt>
}

const PLAN_STATUS = 'active'

/** Creates a workspace from a lock. A prompt that has only a staging part is served as live, too. */
export function workspaceFromLock(lock: Lock): Workspace {
  const prompts = pairParts(lock).map(({ prompt, staging }) => {
    return { slug: prompt.slug, live: prompt, staging }
  })
  return { planStatus: PLAN_STATUS, prompts: indexBySlug(prompts) }
}

const version = v.pipe(
  mapping({ system: v.nullish(string), user: v.nullish(string) }),
  v.check(
    (texts) => Object.values(texts).some((text) => typeof text === 'string'),
    'a system or a user text',
  ),
)

const { version: _, ...settingFields } = settingSchemas(string, (schema, { missing }) =>
  v.nullish(schema, missing),
)

const prompt = mapping({
  slug: string,
  ...settingFields,
  live: string,
  staging: v.nullish(string, null),
  versions: v.pipe(
    v.custom<object>(isRecord, 'an object'),
    // `v.record` would drop a version called `__proto__`.
    v.transform((versions) => new Map(Object.entries(versions))),
    v.map(v.string(), version),
  ),
})

const workspace = mapping({
  // It is also sent as a header, which allows only these characters.
  planStatus: v.optional(
    v.pipe(string, v.regex(/^[!-~](?:[ -~]*[!-~])?$/, 'printable ASCII characters')),
    PLAN_STATUS,
  ),
  prompts: v.array(prompt, 'an array'),
})

function mapping<Entries extends v.ObjectEntries>(entries: Entries) {
  return exactObject(entries, `unknown field; known fields are ${Object.keys(entries).join(', ')}`)
}

/**
 * Reads a workspace file, which is YAML 1.2. `EXAMPLE_WORKSPACE` shows the format. `slug`, `live` and
 * `versions` are required, and one text of each version. Line ends become LF. Labels and slugs that YAML
 * reads as numbers (`live: 22`) need quotes. All problems are one error.
 *
 * @param path - path of the file in the error
 */
export function parseWorkspace(text: string, path: string): Workspace {
  const { document, data, problems } = readYaml(text)
  if (data !== undefined) problems.push(...dataProblems(data, document))
  if (problems.length > 0) throw new PromptsError('WORKSPACE_INVALID', { path, problems })
  const { planStatus, prompts } = v.parse(workspace, data)
  return { planStatus, prompts: indexBySlug(prompts.map(toPrompt)) }
}

function toPrompt(entry: v.InferOutput<typeof prompt>): WorkspacePrompt {
  const { live, staging, versions, ...settings } = entry
  const find = (label: string): WorkspaceVersion => {
    // Every label was checked.
    const { system, user } = versions.get(label) ?? {}
    const texts = { system: system ?? '', user: user ?? '' }
    return { ...settings, version: label, ...texts, source: joinTexts(texts) }
  }
  const { slug } = settings
  return { slug, live: find(live), staging: staging === null ? null : find(staging) }
}

/** All problems of the data of a file: types first, then references. */
function dataProblems(data: unknown, document: Document): string[] {
  const problems = findProblems(workspace, data).map((problem) => {
    const { path, text } = problem
    return describe(path, text + describeScalar(problem, scalarAt(document, path)))
  })
  return [...problems, ...referenceProblems(data)]
}

/** Explains a value that YAML does not read as text. */
function describeScalar({ type, input }: SchemaProblem, scalar: string | undefined): string {
  if (type !== 'string') return ''
  if (input === null) return ', but it is empty'
  if (typeof input !== 'number' && typeof input !== 'boolean') return ''
  const written = scalar ?? String(input)
  return `, but YAML reads ${written} as a ${typeof input}; write "${written}"`
}

/** The fields that refer to others. They may have any type. */
type References = Readonly<Record<'slug' | 'live' | 'staging' | 'versions', unknown>>

/** References are checked even if other fields are invalid. */
function referenceProblems(data: unknown): string[] {
  const { prompts } = Object(data)
  const entries: References[] = Array.isArray(prompts) ? prompts.map(Object) : []
  const slugs = entries.map(({ slug }) => slug)
  const duplicates = slugs.flatMap((slug, index) => {
    const first = slugs.indexOf(slug)
    if (typeof slug !== 'string' || first === index) return []
    const problem = `${slug} is already the slug of prompts[${first}]`
    return describe(['prompts', index, 'slug'], problem)
  })
  return [...entries.flatMap(findMissingVersions), ...duplicates]
}

function findMissingVersions(entry: References, index: number): string[] {
  const { versions } = entry
  if (!isRecord(versions)) return []
  return (['live', 'staging'] as const)
    .filter((field) => typeof entry[field] === 'string' && !Object.hasOwn(versions, entry[field]))
    .map((field) => {
      const problem = `has no version ${entry[field]}, which ${field} names`
      return describe(['prompts', index, 'versions'], problem)
    })
}

function describe(path: readonly unknown[], problem: string): string {
  return `${path.length === 0 ? 'the file' : printPath(path)}: ${problem}`
}

type Document = ReturnType<typeof parseDocument>

/** Messages that replace unclear ones of the YAML parser. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  DUPLICATE_KEY: 'duplicate key',
  MULTIPLE_DOCS: 'a workspace file is one document; `---` is only allowed at the beginning',
  NON_STRING_KEY:
    'this key is not plain text; a value that begins with { needs quotes or a block (|)',
}

/** Parses a YAML text; every key becomes a string as written. Without data the text can't be read. */
function readYaml(text: string): { document: Document; data?: unknown; problems: string[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    stringKeys: true,
  })
  const faults = [...document.errors, ...document.warnings]
  const problems = faults.map(({ code, message, pos }) => {
    return `line ${lines.linePos(pos[0]).line}: ${MESSAGES[code] ?? message}`
  })
  if (faults.some(({ code }) => code !== 'DUPLICATE_KEY')) return { document, problems }
  try {
    // Resolves aliases, which fails if they are undefined or expand too much.
    return { document, problems, data: document.toJS() }
  } catch (error) {
    return { document, problems: [...problems, `aliases: ${String(error)}`] }
  }
}

function scalarAt(document: Document, path: readonly unknown[]): string | undefined {
  const node: unknown = document.getIn(path, true)
  return isScalar(node) ? node.source : undefined
}

export const DEFAULT_FILE = 'prompts.workspace.yaml'

/** An example workspace file: two prompts, one with a staging version. */
export const EXAMPLE_WORKSPACE = `# A workspace for \`prompts serve\`, instead of an account at the prompt service.
prompts:
  - slug: support-triage
    folder: support
    model: gpt-5.1
    temperature: 0.2
    live: v1 # the label of a version below
    staging: v2 # the version for the test key
    versions:
      v1:
        system: |-
          You sort the tickets of a help desk. Answer in a {{ tone }} tone.
        user: |-
          {{ ticket }}
      v2:
        system: |-
          You sort the tickets of a help desk into billing, access and product.
          Answer in a {{ tone }} tone, in one sentence.
        user: |-
          {{ ticket }}

  - slug: sales-follow-up
    folder: sales
    model: gpt-5.1
    temperature: 0.7
    live: v1
    versions:
      v1:
        system: |-
          Write the e-mail that follows a first call about {{ product }}.
        user: |-
          Notes of the call: {{ notes }}
`
