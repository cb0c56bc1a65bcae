import type { ComponentChild, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { annotate } from '../annotate.ts'
import { type Block, type ListItem, parseMarkdown, parseSpans, type Span } from '../markdown.ts'
import { Pieces } from './pieces.tsx'

/** A text read as Markdown. Links and HTML stay text: nothing of a prompt is ever followed. */
export function MarkdownText({ text }: { readonly text: string }): JSX.Element {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <div class="markdown">{blocks.map((block, index) => blockOf(block, index))}</div>
}

function blockOf(block: Block, key: number): JSX.Element {
  switch (block.kind) {
    case 'heading':
      return (
        <p key={key} class={`heading level-${block.level}`}>
          <MarkdownLine text={block.text} />
        </p>
      )
    case 'code':
      return (
        <pre key={key}>
          <Pieces pieces={annotate(block.text)} />
        </pre>
      )
    case 'rule':
      return <hr key={key} />
    case 'list':
      return (
        <ul key={key} class="items">
          {block.items.map(itemOf)}
        </ul>
      )
    case 'table':
      return <Table key={key} rows={block.rows} />
    case 'quote':
      return (
        <blockquote key={key}>
          <MarkdownLine text={block.text} />
        </blockquote>
      )
    default:
      return (
        <p key={key}>
          <MarkdownLine text={block.text} />
        </p>
      )
  }
}

function itemOf({ depth, sign, text }: ListItem, index: number): JSX.Element {
  return (
    <li key={index} class={`depth-${depth}`}>
      <span class="sign">{sign}</span>
      <span>
        <MarkdownLine text={text} />
      </span>
    </li>
  )
}

function Table({ rows }: { readonly rows: readonly (readonly string[])[] }): JSX.Element {
  const [head = [], ...body] = rows
  return (
    <div class="table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{head.map((cell, index) => cellOf('th', cell, index))}</tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>{row.map((cell, column) => cellOf('td', cell, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellOf(Tag: 'th' | 'td', text: string, key: number): JSX.Element {
  return (
    <Tag key={key}>
      <MarkdownLine text={text} />
    </Tag>
  )
}

/** One line with its emphasis and its code. */
export function MarkdownLine({ text }: { readonly text: string }): JSX.Element {
  return <>{parseSpans(text).map(spanOf)}</>
}

function spanOf({ kind, text }: Span, key: number): ComponentChild {
  const pieces = <Pieces pieces={annotate(text)} />
  if (kind === 'strong') return <strong key={key}>{pieces}</strong>
  if (kind === 'emphasis') return <em key={key}>{pieces}</em>
  return kind === 'code' ? <code key={key}>{pieces}</code> : pieces
}
