import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CompilerHosts } from '../../src/judge/compiler-host.ts'
import { ts } from '../../src/judge/compiler.ts'
import { SCHEMA } from '../helpers/json-output.ts'

const TYPES = resolve(import.meta.dirname, '../../src/cli/commands/registry.ts')

const ABOUT = {
  title: 'Output of `prompts --json`',
  description:
    'Each command has an entry in `$defs`, and one schema fits them all. What a failed command prints is `#/$defs/error`.',
}

type Schema = Readonly<Record<string, unknown>>

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es5.d.ts'],
  module: ts.ModuleKind.Preserve,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
}

interface Context {
  readonly checker: ts.TypeChecker
  /** The interfaces that were met, by name. */
  readonly named: Map<string, { readonly type: ts.Type; schema: Schema }>
}

test('the schema of --json comes from the types of the commands', async () => {
  const schema = printJsonSchema(TYPES, 'JsonOutputs', ABOUT)
  await expect(schema, 'Run `npm run update-docs`, and read the difference.').toMatchFileSnapshot(
    SCHEMA,
  )
})

/**
 * The JSON Schema of an exported interface, whose properties become `$defs`. Every interface that
 * they use has its own entry, doc comments become descriptions, and no object has other fields.
 *
 * @throws Error for a type that JSON does not have
 */
function printJsonSchema(path: string, name: string, about: Schema): string {
  const program = ts.createProgram([path], OPTIONS, sourceOnlyHost())
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  const exported =
    file && checker.getSymbolAtLocation(file)?.exports?.get(ts.escapeLeadingUnderscores(name))
  if (exported === undefined) throw new Error(`${path} does not export ${name}`)
  const context: Context = { checker, named: new Map() }
  const { properties } = objectSchema(checker.getDeclaredTypeOfSymbol(exported), context)
  const outputs = Object.entries(properties as Schema)
  const types = [...context.named].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...about,
    anyOf: outputs.map(([output]) => ({ $ref: `#/$defs/${output}` })),
    $defs: Object.fromEntries([...outputs, ...types.map(([type, found]) => [type, found.schema])]),
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`
}

/** Reads no package: none has types of the output, and those of ts-morph take most of the time. */
function sourceOnlyHost(): ts.CompilerHost {
  const host = new CompilerHosts().create(OPTIONS, new Map())
  return {
    ...host,
    jsDocParsingMode: ts.JSDocParsingMode.ParseAll,
    resolveModuleNameLiterals: (names, importer) =>
      names.map(({ text }) =>
        text.startsWith('.')
          ? ts.resolveModuleName(text, importer, OPTIONS, host)
          : { resolvedModule: undefined },
      ),
  }
}

function typeSchema(type: ts.Type, context: Context): Schema {
  const { checker } = context
  if (type.flags & ts.TypeFlags.String) return { type: 'string' }
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
  if (type.isStringLiteral()) return { const: type.value }
  if (type.isUnion()) return unionSchema(type.types, context)
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    if (item !== undefined) return { type: 'array', items: typeSchema(item, context) }
  }
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  if (!isObject || checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0)
    throw new Error(`No JSON: ${checker.typeToString(type)}`)
  return type.isClassOrInterface() ? reference(type, context) : objectSchema(type, context)
}

function unionSchema(types: readonly ts.Type[], context: Context): Schema {
  const defined = types.filter((type) => !isUndefined(type))
  const values = defined.flatMap((type) => (type.isStringLiteral() ? [type.value] : []))
  const isBoolean = defined.some((type) => type.flags & ts.TypeFlags.BooleanLiteral)
  const others = defined
    .filter((type) => !type.isStringLiteral() && !(type.flags & ts.TypeFlags.BooleanLiteral))
    .map((type) => typeSchema(type, context))
  const alternatives = [
    ...(values.length > 1
      ? [{ enum: values.toSorted() }]
      : values.map((value) => ({ const: value }))),
    ...(isBoolean ? [{ type: 'boolean' }] : []),
    // The compiler's own order depends on what else it has read.
    ...others.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ]
  const [only] = alternatives
  return alternatives.length === 1 && only !== undefined ? only : { anyOf: alternatives }
}

function reference(type: ts.InterfaceType, context: Context): Schema {
  const { name } = type.symbol
  const found = context.named.get(name)
  if (found !== undefined && found.type !== type) throw new Error(`Two interfaces: ${name}`)
  if (found === undefined) {
    const entry = { type, schema: {} }
    context.named.set(name, entry)
    entry.schema = { ...description(type.symbol, context), ...objectSchema(type, context) }
  }
  return { $ref: `#/$defs/${name}` }
}

function objectSchema(type: ts.Type, context: Context): Schema {
  const { checker } = context
  const properties = checker.getPropertiesOfType(type).map((symbol) => {
    const value = checker.getTypeOfSymbol(symbol)
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || includesUndefined(value)
    const schema = { ...typeSchema(value, context), ...description(symbol, context) }
    return { name: symbol.name, isOptional, schema }
  })
  const required = properties.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required,
    additionalProperties: false,
  }
}

function description(symbol: ts.Symbol, { checker }: Context): Schema {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const plain = text.replaceAll(/\{@link ([^}]+)\}/g, '`$1`').replaceAll(/\s+/g, ' ')
  return plain === '' ? {} : { description: plain }
}

/** `JSON.stringify` leaves such a property out. */
function includesUndefined(type: ts.Type): boolean {
  return type.isUnion() && type.types.some(isUndefined)
}

function isUndefined(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Undefined) !== 0
}
