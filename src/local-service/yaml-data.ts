import { type ErrorCode, isScalar, LineCounter, parseDocument } from 'yaml'

/** A YAML text as plain data, or why it is no YAML. */
export type YamlData =
  | {
      readonly kind: 'data'
      readonly data: unknown
      /** What is wrong but leaves the data readable: keys that are there twice. */
      readonly problems: readonly string[]
      /** A scalar to the letter, such as `1.10`; `undefined` where the path leads to none. */
      readonly scalarAt: (path: readonly unknown[]) => string | undefined
    }
  | { readonly kind: 'unreadable'; readonly problems: readonly string[] }

type Document = ReturnType<typeof parseDocument>

/** Messages of the YAML parser that say too little to someone who edits a workspace. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  DUPLICATE_KEY: 'this key is there twice',
  MULTIPLE_DOCS: 'a workspace is one document, so --- can stand only at its top',
  NON_STRING_KEY:
    'this key is no plain text; a value that begins with { wants quotes or a block (|)',
}

/** Reads a YAML text into plain data; every key becomes a string as it is written. */
export function readYaml(text: string): YamlData {
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
  if (faults.some(({ code }) => code !== 'DUPLICATE_KEY')) return { kind: 'unreadable', problems }
  return toData(document, problems)
}

/** Aliases are resolved only here, and may then turn out to lead nowhere or to explode. */
function toData(document: Document, problems: readonly string[]): YamlData {
  try {
    const data: unknown = document.toJS()
    return { kind: 'data', data, problems, scalarAt: (path) => scalarAt(document, path) }
  } catch (error) {
    return { kind: 'unreadable', problems: [...problems, `aliases: ${String(error)}`] }
  }
}

function scalarAt(document: Document, path: readonly unknown[]): string | undefined {
  const node: unknown = document.getIn(path, true)
  return isScalar(node) ? node.source : undefined
}
