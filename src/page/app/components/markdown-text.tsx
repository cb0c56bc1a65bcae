import type { MarkedToken, Token, Tokens } from 'marked'
import { type ComponentChild, Fragment, type JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { annotate } from '../annotate.ts'
import { readMarkdown, readMarkdownLine } from '../markdown.ts'
import { Pieces } from './pieces.tsx'

/** The nesting level from which Markdown is shown as plain text. */
const DEEPEST = 12

/** A text rendered as Markdown from text nodes only: no part of a prompt becomes HTML. */
export function MarkdownText({ text }: { readonly text: string }): JSX.Element {
  const tokens = useMemo(() => readMarkdown(text), [text])
  return <div class="markdown">{nodesOf(tokens, 0)}</div>
}

/** One line with its emphasis and its code. */
export function MarkdownLine({ text }: { readonly text: string }): JSX.Element {
  return <>{nodesOf(readMarkdownLine(text), 0)}</>
}

/** A line this long was probably wrapped by an editor, a shorter one by its author. */
const WRAPPED = 60

function nodesOf(tokens: readonly Token[], depth: number): ComponentChild[] {
  let line = 0
  return tokens.map((token, key) => {
    const isJoined = token.type === 'br' && token.raw === '\n' && line >= WRAPPED
    line = token.type === 'br' ? 0 : line + token.raw.length
    return isJoined ? ' ' : nodeOf(token as MarkedToken, key, depth + 1)
  })
}

type Tag = 'p' | 'blockquote' | 'pre' | 'code' | 'strong' | 'em' | 'del'

/** The elements of tokens that have content and nothing else. */
const TAGS: Readonly<Partial<Record<MarkedToken['type'], Tag>>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  code: 'pre',
  codespan: 'code',
  strong: 'strong',
  em: 'em',
  del: 'del',
}

function nodeOf(token: MarkedToken, key: number, depth: number): ComponentChild {
  if (depth > DEEPEST) return plain(token.raw)
  switch (token.type) {
    case 'space':
      return null
    case 'br':
      return '\n'
    case 'hr':
      return <hr key={key} />
    case 'heading':
      return (
        <p key={key} class={`heading level-${token.depth}`}>
          {nodesOf(token.tokens, depth)}
        </p>
      )
    case 'list':
      return listOf(token, key, depth)
    case 'table':
      return tableOf(token, key, depth)
    default: {
      const Tag = TAGS[token.type] ?? Fragment
      return <Tag key={key}>{contentOf(token, depth)}</Tag>
    }
  }
}

function contentOf(token: MarkedToken, depth: number): ComponentChild {
  if ('tokens' in token && token.tokens !== undefined) return nodesOf(token.tokens, depth)
  return plain('text' in token ? token.text : token.raw)
}

function plain(text: string): ComponentChild {
  return <Pieces pieces={annotate(text)} />
}

function listOf({ ordered, start, items }: Tokens.List, key: number, depth: number): JSX.Element {
  const children = items.map((item, index) => <li key={index}>{nodesOf(item.tokens, depth)}</li>)
  if (!ordered) return <ul key={key}>{children}</ul>
  return (
    <ol key={key} start={start === '' ? 1 : start}>
      {children}
    </ol>
  )
}

function tableOf({ header, rows }: Tokens.Table, key: number, depth: number): JSX.Element {
  const cellOf = (Tag: 'th' | 'td', { tokens }: Tokens.TableCell, column: number): JSX.Element => (
    <Tag key={column}>{nodesOf(tokens, depth)}</Tag>
  )
  return (
    <div key={key} class="table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{header.map((cell, column) => cellOf('th', cell, column))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{row.map((cell, column) => cellOf('td', cell, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
