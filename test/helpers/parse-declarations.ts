import { Project, SyntaxKind, ts } from 'ts-morph'

/** One member of the type of all prompts, as TypeScript reads it. */
export interface DeclaredPrompt {
  readonly name: string
  readonly slug: string
  readonly model: string
  readonly roles: readonly string[]
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
  /** Names that refer to another. */
  readonly aliases: Readonly<Record<string, string>>
}

/** Reads the text of `prompts.d.ts` with TypeScript. */
export function parseDeclarations(text: string): Declarations {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const file = project.createSourceFile('prompts.d.ts', text)
  const diagnostics = project.getProgram().getSyntacticDiagnostics(file)
  const prompts = file
    .getDescendantsOfKind(SyntaxKind.TypeAliasDeclaration)
    .map(({ compilerNode }) => compilerNode)
    .find(({ name }) => name.text === 'Prompts')
  const members = membersOf(prompts?.type)
  return {
    problems: diagnostics.map((diagnostic) => String(diagnostic.getMessageText())),
    modules: file.getModules().map((module) => JSON.parse(module.getName())),
    prompts: members.flatMap((member) =>
      member.type !== undefined && ts.isTypeReferenceNode(member.type)
        ? [readMember(member, member.type)]
        : [],
    ),
    aliases: Object.fromEntries(
      members.flatMap((member) =>
        member.type !== undefined && ts.isIndexedAccessTypeNode(member.type)
          ? [[nameOf(member), ...literals(member.type.indexType)]]
          : [],
      ),
    ),
  }
}

function membersOf(type: ts.TypeNode | undefined): ts.PropertySignature[] {
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : `odd: ${name.getText()}`
}

function readMember(member: ts.PropertySignature, type: ts.TypeReferenceNode): DeclaredPrompt {
  const contract = membersOf(type.typeArguments?.[0])
  const typeOf = (name: string): ts.TypeNode | undefined =>
    contract.find((property) => nameOf(property) === name)?.type
  const docs = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  return {
    name: nameOf(member),
    slug: literals(typeOf('slug')).join(' and '),
    model: literals(typeOf('model')).join(' and '),
    roles: literals(typeOf('roles')),
    variables: membersOf(typeOf('variables')).map(nameOf),
    doc: docs.map(({ comment }) => ts.getTextOfJSDocComment(comment)).join(' and '),
    tags: docs.flatMap(tagsOf),
  }
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
