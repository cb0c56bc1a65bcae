import { ts } from 'ts-morph'

/** Patterns of `include` that take in a declaration file in the project's folder. */
const WHOLE =
  /^(?:\.\/)?(?:\.|\*\*|\*|(?:\*\*\/)?\*(?:\.d)?(?:\.ts)?|\*\*\/\*\.\{.*ts.*\}|prompts\.d\.ts)\/?$/

/**
 * Where the declarations must lie for TypeScript to see them: a project that includes nothing but
 * `src` never reads a file beside it.
 *
 * @param texts - the project's tsconfig files, those that others refer to included
 * @returns a folder such as `src`, or `undefined` where the project's own folder will do
 */
export function declarationsFolder(texts: readonly string[]): string | undefined {
  const includes = texts.map(includeOf).filter((include) => include !== undefined)
  if (texts.length === 0 || texts.length > includes.length + referencing(texts)) return undefined
  if (includes.flat().some((pattern) => WHOLE.test(pattern))) return undefined
  return includes.map(folderIn).find((folder) => folder !== undefined)
}

/** How many of the files only refer to others and compile nothing themselves. */
function referencing(texts: readonly string[]): number {
  return texts.map(parse).filter((config) => 'references' in config && !('include' in config))
    .length
}

function includeOf(text: string): string[] | undefined {
  const { include } = parse(text)
  if (!Array.isArray(include)) return undefined
  return include.filter((pattern): pattern is string => typeof pattern === 'string')
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', text) as { config?: unknown }
  return typeof config === 'object' && config !== null ? { ...config } : {}
}

/** The first folder that a pattern names without a wildcard. */
function folderIn(include: readonly string[]): string | undefined {
  return include
    .map((pattern) => /^(?:\.\/)?([\w-]+)(?:\/|$)/.exec(pattern)?.[1])
    .find((folder) => folder !== undefined)
}
