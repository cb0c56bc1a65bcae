// virtual:prompts
import { p0 } from "virtual:prompts/definitions"
import { p1 } from "virtual:prompts/definitions"
import { p2 } from "virtual:prompts/definitions"
import { p3 } from "virtual:prompts/definitions"
import { p4 } from "virtual:prompts/definitions"
import { p5 } from "virtual:prompts/definitions"
import { p6 } from "virtual:prompts/definitions"
import { p7 } from "virtual:prompts/definitions"
import { p8 } from "virtual:prompts/definitions"
import { p9 } from "virtual:prompts/definitions"
import { p10 } from "virtual:prompts/definitions"
import { p11 } from "virtual:prompts/definitions"
import { p12 } from "virtual:prompts/definitions"
import { p13 } from "virtual:prompts/definitions"
import { p14 } from "virtual:prompts/definitions"
import { p15 } from "virtual:prompts/definitions"
import { p16 } from "virtual:prompts/definitions"
import { p17 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  [""]: p0,
  ["3d-scene"]: p1,
  ["HTML to text"]: p2,
  ["htmlToText"]: p2,
  ["__proto__"]: p3,
  ["proto"]: p3,
  ["a-b"]: p4,
  ["aB"]: p5,
  ["a_b"]: p6,
  ["class"]: p7,
  ["constructor"]: p8,
  ["default"]: p9,
  ["größe-ändern"]: p10,
  ["größeÄndern"]: p10,
  ["it's"]: p11,
  ["itS"]: p11,
  ["quote\"s"]: p12,
  ["quoteS"]: p12,
  ["support/triage"]: p13,
  ["supportTriage"]: p13,
  ["then"]: p14,
  ["票据"]: p15,
  ["￿"]: p16,
  ["😀"]: p17,
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

// virtual:prompts/all
export {
  p0 as "",
  p1 as "3d-scene",
  p2 as "HTML to text",
  p2 as htmlToText,
  p3 as proto,
  p4 as "a-b",
  p5 as aB,
  p6 as a_b,
  p7 as "class",
  p8 as constructor,
  p9 as "default",
  p10 as "größe-ändern",
  p10 as größeÄndern,
  p11 as "it's",
  p11 as itS,
  p12 as "quote\"s",
  p12 as quoteS,
  p13 as "support/triage",
  p13 as supportTriage,
  p14 as then,
  p15 as 票据,
  p16 as "￿",
  p17 as "😀",
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p0 = /* @__PURE__ */ definePrompt("", "v1", "", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 0.", "", ""))
export const p1 = /* @__PURE__ */ definePrompt("3d-scene", "v1", "art", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 1.", "", ""))
export const p2 = /* @__PURE__ */ definePrompt("HTML to text", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 10.", "", ""))
export const p3 = /* @__PURE__ */ definePrompt("__proto__", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 4.", "", ""))
export const p4 = /* @__PURE__ */ definePrompt("a-b", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 7.", "", ""))
export const p5 = /* @__PURE__ */ definePrompt("aB", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 9.", "", ""))
export const p6 = /* @__PURE__ */ definePrompt("a_b", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 8.", "", ""))
export const p7 = /* @__PURE__ */ definePrompt("class", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 3.", "", ""))
export const p8 = /* @__PURE__ */ definePrompt("constructor", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 5.", "", ""))
export const p9 = /* @__PURE__ */ definePrompt("default", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 2.", "", ""))
export const p10 = /* @__PURE__ */ definePrompt("größe-ändern", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 11.", "", ""))
export const p11 = /* @__PURE__ */ definePrompt("it's", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 16.", "", ""))
export const p12 = /* @__PURE__ */ definePrompt("quote\"s", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 15.", "", ""))
export const p13 = /* @__PURE__ */ definePrompt("support/triage", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 17.", "", ""))
export const p14 = /* @__PURE__ */ definePrompt("then", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 6.", "", ""))
export const p15 = /* @__PURE__ */ definePrompt("票据", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 12.", "", ""))
export const p16 = /* @__PURE__ */ definePrompt("￿", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 14.", "", ""))
export const p17 = /* @__PURE__ */ definePrompt("😀", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 13.", "", ""))

// virtual:prompts, where names must be identifiers
import { p0 } from "virtual:prompts/definitions"
import { p1 } from "virtual:prompts/definitions"
import { p2 } from "virtual:prompts/definitions"
import { p3 } from "virtual:prompts/definitions"
import { p4 } from "virtual:prompts/definitions"
import { p5 } from "virtual:prompts/definitions"
import { p6 } from "virtual:prompts/definitions"
import { p7 } from "virtual:prompts/definitions"
import { p8 } from "virtual:prompts/definitions"
import { p9 } from "virtual:prompts/definitions"
import { p10 } from "virtual:prompts/definitions"
import { p11 } from "virtual:prompts/definitions"
import { p12 } from "virtual:prompts/definitions"
import { p13 } from "virtual:prompts/definitions"
import { p14 } from "virtual:prompts/definitions"
import { p15 } from "virtual:prompts/definitions"
import { p16 } from "virtual:prompts/definitions"
import { p17 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  [""]: p0,
  ["3d-scene"]: p1,
  ["HTML to text"]: p2,
  ["htmlToText"]: p2,
  ["__proto__"]: p3,
  ["proto"]: p3,
  ["a-b"]: p4,
  ["aB"]: p5,
  ["a_b"]: p6,
  ["class"]: p7,
  ["constructor"]: p8,
  ["default"]: p9,
  ["größe-ändern"]: p10,
  ["größeÄndern"]: p10,
  ["it's"]: p11,
  ["itS"]: p11,
  ["quote\"s"]: p12,
  ["quoteS"]: p12,
  ["support/triage"]: p13,
  ["supportTriage"]: p13,
  ["then"]: p14,
  ["票据"]: p15,
  ["￿"]: p16,
  ["😀"]: p17,
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
