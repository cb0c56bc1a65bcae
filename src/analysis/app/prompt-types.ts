import { ts } from './compiler.ts'

/** Finds the prompts of an expression by its type. */
export interface PromptTypes {
  /** Returns the slugs of the prompts that a value of this type may be, including unions. */
  readonly slugsOf: (type: ts.Type) => readonly string[]
  /** Whether a type is that of a prompt, known or not. */
  readonly isPrompt: (type: ts.Type) => boolean
  /** Whether a type is the object with all prompts. */
  readonly isNamespace: (type: ts.Type) => boolean
  /** The number of names of that object. */
  readonly names: number
}

/** Reads the types of prompts from the declarations of a program. */
export function promptTypes(program: ts.Program, declarationsPath: string): PromptTypes {
  const checker = program.getTypeChecker()
  const namespace = namespaceType(program, declarationsPath)
  const members = namespace?.getProperties() ?? []
  const [first] = members
  const prompt = first === undefined ? undefined : checker.getTypeOfSymbol(first).getSymbol()
  const declared = prompt && checker.getDeclaredTypeOfSymbol(prompt)
  const anyPrompt = declared?.isClassOrInterface() ? checker.getBaseTypes(declared) : []
  const kinds = new Set([prompt, ...anyPrompt.map((type) => type.getSymbol())])
  return {
    names: members.length,
    slugsOf: (type) =>
      prompt === undefined
        ? []
        : partsOf(type).flatMap((part) =>
            part.getSymbol() === prompt ? slugOf(checker, part, declarationsPath) : [],
          ),
    isPrompt: (type) =>
      partsOf(type).some((part) => {
        const symbol = part.getSymbol()
        return symbol !== undefined && kinds.has(symbol)
      }),
    isNamespace: (type) => namespace !== undefined && partsOf(type).includes(namespace),
  }
}

/** Returns the type of `prompts` in `virtual:prompts`, which is declared first. */
function namespaceType(program: ts.Program, path: string): ts.Type | undefined {
  const checker = program.getTypeChecker()
  const prompts = checker
    .getAmbientModules()
    .filter(({ declarations = [] }) =>
      declarations.some((each) => each.getSourceFile().fileName === path),
    )
    .flatMap((module) => checker.getExportsOfModule(module))
    .find(({ name }) => name === 'prompts')
  return prompts === undefined ? undefined : checker.getTypeOfSymbol(prompts)
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnionOrIntersection() ? type.types : [type]
}

/**
 * Returns the slugs in the contract of `Prompt<Contract>`; none of a contract that the declarations of
 * another workspace have, which may be of the same slug.
 */
function slugOf(checker: ts.TypeChecker, type: ts.Type, path: string): string[] {
  const [contract] = checker.getTypeArguments(type as ts.TypeReference)
  const slug = contract?.getProperty('slug')
  const files = slug?.declarations?.map((each) => each.getSourceFile()) ?? []
  const isForeign = files.some((file) => file.isDeclarationFile && file.fileName !== path)
  if (slug === undefined || isForeign) return []
  return partsOf(checker.getTypeOfSymbol(slug)).flatMap((part) =>
    part.isStringLiteral() ? [part.value] : [],
  )
}
