import { assert as hold, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Block, parseMarkdown, parseSpans } from '../../src/ui/app/markdown.ts'
import { hostileText } from '../helpers/hostile.ts'

describe('Markdown', () => {
  const cases: readonly { readonly given: string; readonly want: readonly Block[] }[] = [
    { given: '## A **b**', want: [{ kind: 'heading', level: 2, text: 'A **b**' }] },
    {
      given: 'a\nb\n\nc',
      want: [
        { kind: 'paragraph', text: 'a\nb' },
        { kind: 'paragraph', text: 'c' },
      ],
    },
    {
      given: '```js\n# no\n```\nx',
      want: [
        { kind: 'code', text: '# no' },
        { kind: 'paragraph', text: 'x' },
      ],
    },
    { given: '```\nnever closed', want: [{ kind: 'code', text: 'never closed' }] },
    { given: '---', want: [{ kind: 'rule' }] },
    { given: '> a\n> b', want: [{ kind: 'quote', text: 'a\nb' }] },
    {
      given: '- a\n  more\n  1. b',
      want: [
        {
          kind: 'list',
          items: [
            { depth: 0, sign: '•', text: 'a\nmore' },
            { depth: 1, sign: '1.', text: 'b' },
          ],
        },
      ],
    },
    {
      given: String.raw`| a | b |` + '\n|---|--:|\n' + String.raw`| c \| d | e |`,
      want: [
        {
          kind: 'table',
          rows: [
            ['a', 'b'],
            ['c | d', 'e'],
          ],
        },
      ],
    },
  ]

  test.each(cases)('reads $given', ({ given, want }) => {
    expect(parseMarkdown(given)).toEqual(want)
  })

  test('joins the lines that an editor has broken, and keeps the breaks of an author', () => {
    const long = 'This line is as long as one that an editor breaks at its margin'
    expect(parseMarkdown(`${long}\nand goes on.\nName: x`)).toEqual([
      { kind: 'paragraph', text: `${long} and goes on.\nName: x` },
    ])
  })

  test('takes any text, and time that grows with its length', () => {
    hold(property(hostileText, (text) => void parseMarkdown(text).map(String)))
    const start = performance.now()
    for (const piece of ['*', '`', '**a', '|', '- ', '> ', '#', '```\n', '{{', '-'.repeat(3)]) {
      parseMarkdown(piece.repeat(50_000))
      parseSpans(piece.repeat(50_000))
    }
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
