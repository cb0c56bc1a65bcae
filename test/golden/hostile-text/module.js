// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p8443476798060194913 as code,
  p14448139695114857766 as comments,
  p17973524016256965915 as types,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p8443476798060194913 = /* @__PURE__ */ definePrompt("code", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("`${process.exit(1)}` \\ \\u0041 \" ' \u003c/script>\u003c!-- */ /* // \r\n lone \r CR, \u2028 \u2029 \u0085 \u0000 \u001b[31m \u202e \u200b \ufeff \u00ad \udb40\udc41 $& $1\n::error::x", "" + s("{{ a }}", v["a"], v) + "`${process.exit(1)}` \\ \\u0041 \" ' \u003c/script>\u003c!-- */ /* // \r\n lone \r CR, \u2028 \u2029 \u0085 \u0000 \u001b[31m \u202e \u200b \ufeff \u00ad \udb40\udc41 $& $1\n::error::x", "\n\n"))
export const p14448139695114857766 = /* @__PURE__ */ definePrompt("comments", "v*/1", "*/ @see", "`model`", 0.2, "live", (v, s) => compose("*/ export const hacked = 1 /*\n@deprecated {@link https://x} `code` ```\n * @param x\n\u003cb>bold\u003c/b>", "", ""))
export const p17973524016256965915 = /* @__PURE__ */ definePrompt("types", "v\"1 | \\", "support", "gpt-5", 0.2, "live", (v, s) => compose("\"; declare const hacked: 1; \"", "" + s("{{a}}", v["a"], v), "\n\n"))

// virtual:prompts, where names must be identifiers
import { p8443476798060194913 } from "virtual:prompts/definitions"
import { p14448139695114857766 } from "virtual:prompts/definitions"
import { p17973524016256965915 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["code"]: p8443476798060194913,
  ["comments"]: p14448139695114857766,
  ["types"]: p17973524016256965915,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
