import type { MarkedToken, Token, Tokens } from 'marked'
import type { ComponentChild, JSX } from 'preact'
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

function nodeOf(token: MarkedToken, key: number, depth: number): ComponentChild {
  if (depth > DEEPEST) return plain(token.raw)
  const children = (): ComponentChild =>
    'tokens' in token && token.tokens !== undefined
      ? nodesOf(token.tokens, depth)
      : plain('text' in token ? token.text : token.raw)
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
          {children()}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{children()}</p>
    case 'blockquote':
      return <blockquote key={key}>{children()}</blockquote>
    case 'code':
      return <pre key={key}>{plain(token.text)}</pre>
    case 'codespan':
      return <code key={key}>{plain(token.text)}</code>
    case 'strong':
      return <strong key={key}>{children()}</strong>
    case 'em':
      return <em key={key}>{children()}</em>
    case 'del':
      return <del key={key}>{children()}</del>
    case 'list':
      return listOf(token, key, depth)
    case 'table':
      return <Table key={key} table={token} depth={depth} />
    default:
      return children()
  }
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

function Table({
  table: { header, rows },
  depth,
}: {
  readonly table: Tokens.Table
  readonly depth: number
}): JSX.Element {
  return (
    <div class="table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{header.map((cell, index) => cellOf('th', cell, index, depth))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{row.map((cell, column) => cellOf('td', cell, column, depth))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellOf(
  Tag: 'th' | 'td',
  { tokens }: Tokens.TableCell,
  key: number,
  depth: number,
): JSX.Element {
  return <Tag key={key}>{nodesOf(tokens, depth)}</Tag>
}
