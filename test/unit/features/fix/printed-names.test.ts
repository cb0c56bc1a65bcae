import { ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import { printAccess, printKey } from '../../../../src/features/fix/print-name.ts'
import type { RewriteContext } from '../../../../src/features/fix/rewrite-context.ts'
import { HOSTILE } from '../../../helpers/hostile.ts'

const TEXTS = [
  ...HOSTILE,
  "it's",
  '"quoted"',
  '`${code}`',
  '\\"\'\\\\',
  '</script>',
  '\u2028\n',
  '__proto__',
]

/** A file whose first string has the given quotes, and that string. */
function fileWith(quote: string): { context: RewriteContext; string: ts.Node } {
  const text = quote === '`' ? 'import "x"\nconst a = `x`' : `import ${quote}x${quote}`
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext, true)
  const strings: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) strings.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  const string = strings.at(-1)
  if (string === undefined) throw new Error('The file has no string.')
  return { context: { file } as RewriteContext, string }
}

/** Runs an expression of generated code. */
function run(expression: string): unknown {
  return new Function(`return ${expression}`)() as unknown
}

describe.each(["'", '"', '`'])('a name from the service in %s quotes', (quote) => {
  test('is the same name in code, and nothing else', () => {
    const { context, string } = fileWith(quote)
    for (const name of TEXTS) {
      const key = printKey(context, name, string)
      expect(key.charAt(0)).toBe(quote)
      expect(run(key)).toBe(name)
      expect(key).not.toMatch(/[\n\r\u2028]/)
      expect(key).not.toContain('</')
    }
  })

  test('is read by that name', () => {
    const { context } = fileWith(quote)
    for (const name of TEXTS) {
      const object = `Object.fromEntries([[${JSON.stringify(name)}, 1]])`
      expect([name, run(`(${object})${printAccess(context, name)}`)]).toEqual([name, 1])
    }
  })
})
