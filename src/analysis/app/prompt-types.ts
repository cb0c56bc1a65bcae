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
  return {
    names: members.length,
    slugsOf: (type) =>
      prompt === undefined
        ? []
        : partsOf(type).flatMap((part) =>
            part.getSymbol() === prompt ? slugOf(checker, part) : [],
          ),
    isPrompt: (type) =>
      prompt !== undefined && partsOf(type).some((part) => part.getSymbol() === prompt),
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
 * Returns the first type argument of `Prompt<slug, version, variables>`; nothing for `Prompt` without
 * arguments.
 */
function slugOf(checker: ts.TypeChecker, type: ts.Type): string[] {
  const [slug] = checker.getTypeArguments(type as ts.TypeReference)
  if (slug === undefined) return []
  return partsOf(slug).flatMap((part) => (part.isStringLiteral() ? [part.value] : []))
}
