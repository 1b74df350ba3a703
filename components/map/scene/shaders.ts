import { MAX_PX, MIN_PX } from "./projection.ts"

// Colours come as the sRGB values of the page and are mixed and written as such, like the browser does with the rest.

const FADE = /* glsl */ `
uniform vec2 uFade;
float fadeOf(float depth) { return smoothstep(uFade.x, uFade.y, depth); }
`

/**
 * What discs and glows share. Each is one vertex, which the card draws as a square: a quad an instance costs many times
 * as much where a processor plays graphics card. A greyed disc is smaller.
 */
const PLACE = /* glsl */ `
attribute float aSize;
attribute float aLevel;
attribute vec4 aColour;
uniform float uFocal;
uniform float uPixelRatio;
uniform int uSelected;
uniform float uFlat;
${FADE}
bool isSelected() { return gl_VertexID == uSelected; }
float radiusAt(float depth) {
  float radius = clamp(aSize * uFocal / depth, ${MIN_PX.toFixed(2)}, ${MAX_PX.toFixed(2)});
  return isSelected() ? max(radius * 1.15, 5.5) : aColour.a < 0.5 ? radius * 0.8 : radius;
}
`

export const groundVertex = /* glsl */ `
varying vec2 vFrom;
void main() {
  // In the radii of the ellipse that .map-ground of globals.css has too.
  vFrom = (position.xy * 0.5 + vec2(0.0, -0.05)) / vec2(0.8, 0.75);
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`

/** Steps of colour this fine would show as bands: a grain of less than a step hides them. */
export const groundFragment = /* glsl */ `
uniform vec3 uGround;
uniform vec3 uEdge;
varying vec2 vFrom;
void main() {
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  gl_FragColor = vec4(mix(uGround, uEdge, min(1.0, length(vFrom))) + (grain - 0.5) / 255.0, 1.0);
}
`

/**
 * A disc in a square that is hardly larger. All that is equal over a disc is computed here: most of a frame is spent on
 * pixels. Distances are squared ones, in radii, so that no root is taken.
 */
export const discVertex = /* glsl */ `
${PLACE}
uniform vec3 uGround;
uniform float uSheen;
flat varying vec3 vColour;
flat varying vec3 vSheen;
/** Steepness of a rim, whether it is hollow, whether it wears a ring, how far the square reaches. */
flat varying vec4 vShape;
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  float depth = -seen.z;
  float radius = radiusAt(depth);
  float reach = isSelected() ? 1.85 : 1.0 + 0.75 / (radius * uPixelRatio);
  gl_Position = projectionMatrix * seen;
  gl_PointSize = 2.0 * radius * reach * uPixelRatio;
  // Selected before lit before grey, each kind by its own depth: what is greyed never covers what is lit. In a plane
  // all are equally far: their order then is that of the list, or discs would cut each other to pieces.
  float w = gl_Position.w;
  float order = uFlat * float(gl_VertexID) * 2.4e-7;
  gl_Position.z = isSelected() ? -0.9999 * w : 0.5 * gl_Position.z + (0.5 - aColour.a + order) * w;
  float lit = isSelected() ? 1.0 : aColour.a;
  float fade = isSelected() ? 0.0 : fadeOf(depth) * 0.52;
  vec3 grey = mix(uGround, vec3(dot(aColour.rgb, vec3(0.3, 0.5, 0.2))), 0.3);
  vColour = mix(mix(grey, aColour.rgb, lit), uGround, fade);
  vSheen = (1.0 - fade) * lit * uSheen * (vec3(1.0) - aColour.rgb);
  vShape = vec4(0.5 * radius * uPixelRatio, aLevel < 1.5 ? 1.0 : 0.0, isSelected() ? 1.0 : 0.0, reach);
}
`

/**
 * Discs replace one another by depth and never add up: where points crowd nothing burns out. Their depth is that of the
 * square, so what is covered is not even shaded.
 */
export const discFragment = /* glsl */ `
uniform vec3 uGround;
uniform vec3 uInk;
flat varying vec3 vColour;
flat varying vec3 vSheen;
flat varying vec4 vShape;
float within(float d, float border) { return clamp((border - d) * vShape.x + 0.5, 0.0, 1.0); }
void main() {
  vec2 corner = (2.0 * gl_PointCoord - 1.0) * vShape.w;
  float d = dot(corner, corner);
  float alpha = within(d, 1.0);
  float middle = max(0.0, 1.0 - 1.2 * d);
  vec3 colour = vColour + vSheen * middle * middle;
  if (vShape.y > 0.5) colour = mix(colour, uGround, 0.85 * (1.0 - within(d, 0.1156)) * within(d, 0.4356));
  if (vShape.z > 0.5) {
    float ring = (1.0 - within(d, 2.02)) * within(d, 2.96);
    colour = mix(colour, uInk, ring);
    alpha = max(alpha, ring);
  }
  if (alpha < 0.35) discard;
  gl_FragColor = vec4(colour, alpha);
}
`

/** Light around what is lit, drawn before the discs: it lands on the ground alone, and the rims of discs lie on it. */
export const glowVertex = /* glsl */ `
${PLACE}
uniform float uReach;
uniform float uGlow;
uniform float uLargest;
flat varying vec4 vColour;
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  float depth = -seen.z;
  float reach = isSelected() ? 4.0 : uReach;
  float light = isSelected() ? uGlow : uGlow * aColour.a * (1.0 - 0.75 * fadeOf(depth));
  gl_Position = projectionMatrix * seen;
  // What does not shine is drawn beyond all edges.
  if (light < 0.01) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = min(2.0 * radiusAt(depth) * reach * uPixelRatio, uLargest);
  vColour = vec4(aColour.rgb, light);
}
`

export const glowFragment = /* glsl */ `
flat varying vec4 vColour;
void main() {
  vec2 corner = 2.0 * gl_PointCoord - 1.0;
  float t = max(0.0, 1.0 - dot(corner, corner));
  t *= t * t;
  gl_FragColor = vec4(vColour.rgb, vColour.a * t * t);
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
