import { type ErrorCode, isScalar, LineCounter, parseDocument } from 'yaml'

/** The data of a YAML text, or its syntax errors. */
export type YamlData =
  | {
      readonly kind: 'data'
      readonly data: unknown
      /** Problems that leave the data readable: duplicate keys. */
      readonly problems: readonly string[]
      /** Returns the source text of a scalar, such as `1.10`; `undefined` if there is none at the path. */
      readonly scalarAt: (path: readonly unknown[]) => string | undefined
    }
  | { readonly kind: 'unreadable'; readonly problems: readonly string[] }

type Document = ReturnType<typeof parseDocument>

/** Messages that replace unclear ones of the YAML parser. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  DUPLICATE_KEY: 'duplicate key',
  MULTIPLE_DOCS: 'a workspace file is one document; `---` is only allowed at the beginning',
  NON_STRING_KEY:
    'this key is not plain text; a value that begins with { needs quotes or a block (|)',
}

/** Parses a YAML text; every key becomes a string as written. */
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

/** Aliases are resolved here, which fails if they are undefined or expand too much. */
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
