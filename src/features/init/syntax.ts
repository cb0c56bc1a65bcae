import {
  IndentationText,
  NewLineKind,
  type ObjectLiteralExpression,
  Project,
  QuoteKind,
  type SourceFile,
} from 'ts-morph'

/** Opens a text as a file whose edits follow its formatting. The name selects the language. */
export function openText(name: string, text: string): SourceFile {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true },
    manipulationSettings: {
      indentationText: indentationOf(text),
      newLineKind: text.includes('\r\n')
        ? NewLineKind.CarriageReturnLineFeed
        : NewLineKind.LineFeed,
      quoteKind: text.includes('"') && !text.includes("'") ? QuoteKind.Double : QuoteKind.Single,
      useTrailingCommas: !name.endsWith('.json') && hasTrailingCommas(text),
    },
  })
  return project.createSourceFile(name, text)
}

function hasTrailingCommas(text: string): boolean {
  return !/[^\s,;[{(]\s*\n\s*[\]}]/.test(text.replaceAll(/\s*\/\/.*/g, ''))
}

function indentationOf(text: string): IndentationText {
  const [, first = ''] = /^([ \t]+)\S/m.exec(text) ?? []
  if (first.startsWith('\t')) return IndentationText.Tab
  return first.length === 4 ? IndentationText.FourSpaces : IndentationText.TwoSpaces
}

/** Whether a file parses without an error. */
export function isWellFormed(file: SourceFile): boolean {
  return file.getProject().getProgram().getSyntacticDiagnostics(file).length === 0
}

/** Adds a property to an object, on its line if the object has only one. */
export function addProperty(
  object: ObjectLiteralExpression,
  name: string,
  initializer: string,
): void {
  const text = object.getText()
  if (text.includes('\n') || object.getProperties().length === 0)
    object.addPropertyAssignment({ name, initializer })
  else object.replaceWithText(text.replace(/,?\s*\}$/, `, ${name}: ${initializer} }`))
}
