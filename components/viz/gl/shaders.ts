import { MAX_PX, MIN_PX } from "./projection.ts"

// Colours come as the sRGB values of the page and are mixed and written as such, like the browser does with the rest.

const FADE = /* glsl */ `
uniform vec2 uFade;
float fadeOf(float depth) { return smoothstep(uFade.x, uFade.y, depth); }
`

/**
 * A point is a quad that faces the eye. The corner, in radii of the disc, runs to its reach: disc, then glow, then nothing.
 * What is greyed does not glow, and where there are many each glows less far: most of a frame is spent on these pixels.
 * The two marked points are drawn larger and in front of all.
 */
export const pointVertex = /* glsl */ `
attribute vec3 aAt;
attribute float aSize;
attribute float aLevel;
attribute vec4 aColour;
uniform vec2 uViewport;
uniform float uFocal;
uniform float uPixelRatio;
uniform ivec2 uMarked;
uniform float uFlat;
uniform float uReach;
varying float vReach;
varying vec2 vCorner;
varying vec4 vColour;
varying float vLevel;
varying float vFade;
varying float vMark;
varying float vOrder;
${FADE}
void main() {
  vec4 seen = viewMatrix * vec4(aAt, 1.0);
  float depth = -seen.z;
  vMark = gl_InstanceID == uMarked.y ? 2.0 : gl_InstanceID == uMarked.x ? 1.0 : 0.0;
  float radius = clamp(aSize * uFocal / depth, ${MIN_PX.toFixed(2)}, ${MAX_PX.toFixed(2)});
  if (vMark > 0.0) radius = max(radius * 1.15, 5.5);
  else if (aColour.a < 0.5) radius *= 0.8;
  gl_Position = projectionMatrix * seen;
  vReach = vMark > 0.0 ? 4.0 : aColour.a < 0.5 ? 1.2 : uReach;
  gl_Position.xy += position.xy * radius * vReach * 2.0 / uViewport * gl_Position.w;
  vCorner = position.xy * vReach;
  // In a plane all are equally far: their order then is that of the list, or discs would cut each other to pieces.
  vOrder = uFlat * float(gl_InstanceID) * 1.2e-7;
  vColour = aColour;
  vLevel = aLevel;
  vFade = vMark > 0.0 ? 0.0 : fadeOf(depth);
}
`

/**
 * Only the disc writes its depth. The glow writes the far plane and so lands on the ground alone: drawing order does not
 * matter, and where points crowd their colours replace one another instead of adding up to white.
 */
export const pointFragment = /* glsl */ `
varying float vReach;
uniform vec3 uGround;
uniform vec3 uInk;
uniform float uSheen;
uniform float uGlow;
varying vec2 vCorner;
varying vec4 vColour;
varying float vLevel;
varying float vFade;
varying float vMark;
varying float vOrder;
void main() {
  float q = length(vCorner);
  if (q > vReach) discard;
  float soft = max(fwidth(q), 0.02);
  float disc = 1.0 - smoothstep(1.0 - soft, 1.0, q);
  vec3 colour = mix(vColour.rgb, vec3(1.0), uSheen * (1.0 - smoothstep(0.0, 0.9, q)));
  if (vLevel < 1.5) {
    float hollow = smoothstep(0.34, 0.34 + soft, q) * (1.0 - smoothstep(0.66 - soft, 0.66, q));
    colour = mix(colour, uGround, 0.85 * hollow);
  }
  float lit = vMark > 0.0 ? 1.0 : vColour.a;
  vec3 grey = mix(uGround, vec3(dot(vColour.rgb, vec3(0.3, 0.5, 0.2))), 0.3);
  colour = mix(mix(grey, colour, lit), uGround, vFade * 0.52);
  float halo = pow(max(0.0, 1.0 - q / vReach), 2.6) * uGlow * lit * (1.0 - 0.75 * vFade);
  float alpha = max(disc, halo);
  float ring = 0.0;
  if (vMark > 0.0) {
    float edge = vMark > 1.5 ? 1.72 : 1.6;
    ring = smoothstep(1.42 - soft, 1.42, q) * (1.0 - smoothstep(edge, edge + soft, q));
    colour = mix(colour, uInk, ring);
    alpha = max(alpha, ring * (vMark > 1.5 ? 1.0 : 0.7));
  }
  if (alpha < 0.004) discard;
  bool solid = disc > 0.5 || ring > 0.5;
  // Marked before lit before grey, each kind by its own depth: what is greyed never covers what is lit.
  float depth = vMark > 0.0 ? 0.0 : 0.5 * (gl_FragCoord.z + 1.0 - vColour.a) + vOrder;
  gl_FragDepth = solid ? min(depth, 0.9999) : 1.0;
  gl_FragColor = vec4(colour, alpha);
}
`

export const edgeVertex = /* glsl */ `
attribute vec4 aColour;
varying vec4 vColour;
varying float vFade;
${FADE}
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  vColour = aColour;
  vFade = fadeOf(-seen.z);
  gl_Position = projectionMatrix * seen;
}
`

export const edgeFragment = /* glsl */ `
uniform float uAlpha;
uniform vec3 uInk;
uniform float uInkShare;
varying vec4 vColour;
varying float vFade;
void main() {
  float alpha = uAlpha * mix(0.12, 1.0, vColour.a) * (1.0 - 0.7 * vFade);
  gl_FragColor = vec4(mix(vColour.rgb, uInk, uInkShare), alpha);
}
`
