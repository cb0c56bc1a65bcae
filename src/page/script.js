// The only script of the page. Documents work without it: it draws one again when the server has something
// new, copies texts, and keeps what a person types.
{
  const find = (selector) => document.querySelector(selector)

  const isTyped = (form) =>
    [...(form.elements ?? [])].some(
      ({ value, defaultValue }) => defaultValue !== undefined && value !== defaultValue,
    )

  /** Makes a node like a new one. What a person has typed, opened or scrolled stays. */
  const renew = (old, now) => {
    if (old.isEqualNode(now) || isTyped(old)) return
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.data = now.data
      return
    }
    for (const name of old.getAttributeNames())
      if (name !== 'open' && !now.hasAttribute(name)) old.removeAttribute(name)
    for (const { name, value } of now.attributes)
      if (name !== 'open' && old.getAttribute(name) !== value) old.setAttribute(name, value)
    let next = old.firstChild
    for (const child of now.childNodes) {
      let twin = next
      while (twin && (twin.nodeName !== child.nodeName || twin.id !== child.id))
        twin = twin.nextSibling
      if (twin) while (next !== twin) next = removed(next)
      else old.insertBefore(document.importNode(child, true), next)
      if (twin) {
        renew(twin, child)
        next = twin.nextSibling
      }
    }
    while (next) next = removed(next)
  }

  const removed = (node) => {
    const next = node.nextSibling
    node.remove()
    return next
  }

  let request
  let isLate = false

  /** Asks for the document again. Not what answered a form: its address shows something else. */
  const refresh = () => {
    if (request) isLate = true
    if (request || !('live' in document.body.dataset)) return
    isLate = false
    request = new XMLHttpRequest()
    // Parsed by the browser, without a script that could handle HTML.
    request.responseType = 'document'
    request.open('GET', location.href)
    request.addEventListener('loadend', ({ target: { response, responseURL } }) => {
      request = undefined
      if (response && responseURL === location.href.split('#')[0]) {
        document.title = response.title
        renew(document.body, response.body)
      }
      if (isLate) refresh()
    })
    request.send()
  }

  let events

  /** A hidden tab would use up one of the few connections that browsers allow. */
  const listen = () => {
    events?.close()
    if (document.hidden) return
    events = new EventSource('/events')
    const say = (isLost) => () => {
      find('#lost').hidden = !isLost
      if (!isLost) refresh()
    }
    events.addEventListener('open', say(false))
    events.addEventListener('message', say(false))
    events.addEventListener('error', say(true))
  }

  addEventListener('visibilitychange', listen)
  addEventListener('DOMContentLoaded', () => {
    listen()
    const row = find('.body .row [aria-current]')
    const list = row?.closest('.list')
    list?.scrollTo(0, row.offsetTop - list.clientHeight / 2)
  })

  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || ctrlKey || metaKey || altKey || target.matches?.('input, textarea')) return
    event.preventDefault()
    find('[type=search]').select()
  })

  addEventListener('click', async ({ target }) => {
    const button = target.closest('[data-copy]')
    if (!button) return
    const label = button.firstChild
    label.textContent = await navigator.clipboard.writeText(JSON.parse(button.dataset.copy)).then(
      () => 'Copied',
      () => 'Not copied',
    )
    setTimeout(() => (label.textContent = 'Copy'), 1600)
  })

  let isSent = false

  addEventListener('submit', (event) => {
    if (event.submitter?.name === 'open') return
    if (isSent) event.preventDefault()
    isSent = true
  })
  addEventListener('pageshow', () => (isSent = false))
  addEventListener('beforeunload', (event) => {
    const forms = [...document.forms].filter(({ method }) => method === 'post')
    if (!isSent && forms.some(isTyped)) event.preventDefault()
  })
}
