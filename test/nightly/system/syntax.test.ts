import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sweep } from '../../helpers/sweep.ts'
import { converted, type Converted, textsOf } from '../../helpers/syntaxes.ts'

/** Renders all texts of one call: `[[text, values], …]` on stdin, the results on stdout. */
const RENDER = `
import json, sys
if sys.argv[1] == 'jinja':
    from jinja2 import Environment
    render = lambda text, values: Environment(autoescape=False).from_string(text).render(values)
else:
    render = lambda text, values: text.format(**values)
json.dump([render(*one) for one in json.load(sys.stdin)], sys.stdout)
`

function render(syntax: string, texts: readonly Converted[]): readonly string[] {
  const input = JSON.stringify(texts.map(({ text, values }) => [text, values]))
  const { stdout, stderr } = spawnSync('python3', ['-c', RENDER, syntax], {
    input,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function missing(syntax: string): string | undefined {
  const module = syntax === 'jinja' ? 'jinja2' : 'json'
  const { status } = spawnSync('python3', ['-c', `import ${module}`])
  return status === 0 ? undefined : `python3 with ${module} is not installed`
}

/** Jinja2 drops a final line break, and turns CR and CRLF into LF. Here both stay as they are stored. */
const asJinja = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')

test.for(['f-string', 'jinja'] as const)(
  'a converted %s renders as Python does',
  (syntax, { skip }) => {
    const reason = missing(syntax)
    skip(reason !== undefined, reason)
    let count = 0
    const text = textsOf(syntax)
    fc.assert(
      fc.property(fc.array(text, { minLength: 300, maxLength: 300 }), (texts) => {
        const all = texts.flatMap((one) => converted(one, syntax) ?? [])
        count += all.length
        const change = syntax === 'jinja' ? asJinja : (rendered: string) => rendered
        // A value may have line breaks, which Jinja2 keeps, but no value here has one.
        expect(render(syntax, all)).toEqual(all.map(({ rendered }) => change(rendered)))
      }),
      sweep(50),
    )
    expect(count).toBeGreaterThan(500)
  },
)
