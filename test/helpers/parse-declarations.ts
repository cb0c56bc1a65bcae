import { Project, SyntaxKind, ts } from 'ts-morph'

/** One member of the type of all prompts, as TypeScript reads it. */
export interface DeclaredPrompt {
  readonly name: string
  readonly slug: string
  readonly version: string
  readonly variables: readonly string[]
  /** What an editor shows. */
  readonly doc: string
  /** Names of the doc comment's tags and inline tags; none is wanted. */
  readonly tags: readonly string[]
}

/** Declarations as TypeScript reads them. */
export interface Declarations {
  /** Messages of syntax errors. */
  readonly problems: readonly string[]
  /** Names of the ambient modules. */
  readonly modules: readonly string[]
  readonly prompts: readonly DeclaredPrompt[]
}

/** Reads the text of `prompts.d.ts` with TypeScript. */
export function parseDeclarations(text: string): Declarations {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const file = project.createSourceFile('prompts.d.ts', text)
  const diagnostics = project.getProgram().getSyntacticDiagnostics(file)
  const members = file
    .getDescendantsOfKind(SyntaxKind.TypeLiteral)
    .flatMap(({ compilerNode }) => compilerNode.members.filter(ts.isPropertySignature))
  return {
    problems: diagnostics.map((diagnostic) => String(diagnostic.getMessageText())),
    modules: file.getModules().map((module) => JSON.parse(module.getName())),
    prompts: members.map(readMember),
  }
}

function readMember(member: ts.PropertySignature): DeclaredPrompt {
  const [slug, version, variables] = typeArguments(member.type)
  const docs = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  return {
    name: ts.isStringLiteral(member.name)
      ? member.name.text
      : `not quoted: ${member.name.getText()}`,
    slug: literals(slug).join(' and '),
    version: literals(version).join(' and '),
    variables: literals(variables),
    doc: docs.map(({ comment }) => ts.getTextOfJSDocComment(comment)).join(' and '),
    tags: docs.flatMap(tagsOf),
  }
}

function typeArguments(type: ts.TypeNode | undefined): readonly ts.TypeNode[] {
  return type && ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : []
}

function literals(type: ts.TypeNode | undefined): string[] {
  if (type === undefined || type.kind === SyntaxKind.NeverKeyword) return []
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literals)
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)
    ? [type.literal.text]
    : [`no text: ${type.getText()}`]
}

function tagsOf({ tags, comment }: ts.JSDoc): string[] {
  const parts = typeof comment === 'object' ? comment.map(({ kind }) => kind) : []
  const inline = parts.filter((kind) => kind !== SyntaxKind.JSDocText)
  return [
    ...(tags ?? []).map(({ tagName }) => tagName.text),
    ...inline.map((kind) => SyntaxKind[kind]),
  ]
}
