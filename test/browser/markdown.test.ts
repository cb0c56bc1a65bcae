import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pageBrowser } from '../helpers/page/browser.ts'
import { choose, openPage } from '../helpers/page/open-page.ts'
import { testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

/** The Markdown view of texts, each of a prompt of its own. */
async function views(texts: readonly string[]): Promise<(index: number) => Promise<Page>> {
  const prompts = texts.map((system, index) => ({ slug: `p${index}`, system }))
  const page = await openPage(browser(), await testProject(liveLock(...prompts)), '#/p0')
  return async (index) => {
    await page.evaluate(`location.hash = '#/p${index}'`)
    await page.getByRole('heading', { level: 1, name: `p${index}`, exact: true }).waitFor()
    await choose(page, 'Markdown')
    return page
  }
}

/** The elements of the view, without what only styles need. */
async function shown(page: Page): Promise<string> {
  const html = await page.locator('.markdown').first().innerHTML()
  return html
    .replaceAll(/ (?:role|aria-label|tabindex|class)="[^"]*"/g, '')
    .replaceAll(/<\/?(?:div|thead|tbody)>/g, '')
}

const LONG = 'This line is as long as one that an editor breaks at its margin'

const CASES: readonly (readonly [given: string, want: string])[] = [
  ['## A **b**', '<p>A <strong>b</strong></p>'],
  ['a\nb\n\nc', '<p>a\nb</p><p>c</p>'],
  ['```js\n# no\n```\nx', '<pre># no</pre><p>x</p>'],
  ['```\nnever closed', '<pre>never closed</pre>'],
  ['---', '<hr>'],
  ['> a\n> b', '<blockquote><p>a\nb</p></blockquote>'],
  ['- a\n  more\n  1. b', '<ul><li>a\nmore<ol start="1"><li>b</li></ol></li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  [
    '| a | b |\n|---|--:|\n' + String.raw`| c \| d | e |`,
    '<table><tr><th>a</th><th>b</th></tr><tr><td>c | d</td><td>e</td></tr></table>',
  ],
  ['a `b` *c* ~~d~~', '<p>a <code>b</code> <em>c</em> <del>d</del></p>'],
  ['{{ _a }} and {{ b_ }}, {{*}}', '<p><mark>{{ _a }}</mark> and <mark>{{ b_ }}</mark>, {{*}}</p>'],
  ['_x {{ b_ }} y_', '<p><em>x <mark>{{ b_ }}</mark> y</em></p>'],
  ['`{{ a }}`', '<p><code><mark>{{ a }}</mark></code></p>'],
  ['<rules>\n- a\n</rules>', '<p>&lt;rules&gt;</p><ul><li>a\n&lt;/rules&gt;</li></ul>'],
  ['[a](https://x.example)', '<p>[a](https://x.example)</p>'],
  ['https://x.example <https://y.example>', '<p>https://x.example &lt;https://y.example&gt;</p>'],
  ['![a](x.png)\n\n[b]: c', '<p>![a](x.png)</p><p>[b]: c</p>'],
  [`${LONG}\nand so on.\nName: x`, `<p>${LONG} and so on.\nName: x</p>`],
  ['&amp; &lt;', '<p>&amp;amp; &amp;lt;</p>'],
]

describe('Markdown', () => {
  test('renders lists, tables, code and emphasis; HTML and links stay text', async () => {
    const view = await views(CASES.map(([given]) => given))
    for (const [index, [given, want]] of CASES.entries()) {
      expect({ given, shown: await shown(await view(index)) }).toEqual({ given, shown: want })
    }
  })

  test('accepts any text, even with thousands of nesting levels', async () => {
    const nested = ['> ', '- ', '1. ', '**a', '[', '{{'].map((piece) => piece.repeat(3000))
    const texts = [...nested, ...HOSTILE]
    const view = await views(texts)
    for (const index of texts.keys()) {
      await (await view(index)).locator('.markdown').first().waitFor()
    }
  })
})
