// Constants in capitals are defines, which the layers set from look.ts.
// All colors are sRGB values and are mixed without conversion to linear light, as the browser does for the page.

const FADE = /* glsl */ `
uniform vec2 uFade;
float fadeOf(float depth) { return smoothstep(uFade.x, uFade.y, depth); }
`

/**
 * Shared by discs and glows. Each is one vertex that the GPU draws as a square. Instanced quads would be many times
 * slower with software rendering. Dimmed discs are smaller.
 */
const POINT = /* glsl */ `
attribute float aSize;
attribute float aLevel;
attribute vec4 aColor;
uniform float uFocal;
uniform float uPixelRatio;
uniform int uSelected;
uniform float uFlat;
/** The smallest radius of highlighted discs. */
uniform float uMinRadius;
${FADE}
bool isSelected() { return gl_VertexID == uSelected; }
float radiusAt(float depth) {
  float radius = clamp(SCALE * aSize * uFocal / depth, aColor.a < 0.5 ? MIN_RADIUS_PX : uMinRadius, MAX_RADIUS_PX);
  return isSelected() ? max(radius * EMPHASIS_SCALE, EMPHASIS_MIN_RADIUS_PX) : aColor.a < 0.5 ? radius * DIMMED_SCALE : radius;
}
`

export const groundVertex = /* glsl */ `
varying vec2 vFrom;
varying vec2 vAt;
void main() {
  // In radii of the ellipse. Keep in sync with .map-ground in globals.css.
  vFrom = (position.xy * 0.5 + vec2(0.0, -0.05)) / vec2(0.8, 0.75);
  vAt = position.xy * 0.5 + 0.5;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`

/**
 * Mixes the haze into the background: more where points are denser, with soft steps that read as contours of a region. Adds
 * noise of less than one color step, which hides banding.
 */
export const groundFragment = /* glsl */ `
uniform vec3 uGround;
uniform vec3 uEdge;
uniform sampler2D uHaze;
uniform float uStrength;
uniform float uContour;
varying vec2 vFrom;
varying vec2 vAt;
float stepAt(float density, float limit) { return smoothstep(limit - 0.03, limit + 0.03, density); }
void main() {
  vec4 haze = texture2D(uHaze, vAt);
  float density = 1.0 - exp(-haze.a);
  float steps = 0.25 * (stepAt(density, 0.12) + stepAt(density, 0.32) + stepAt(density, 0.54) + stepAt(density, 0.76));
  float share = uStrength * mix(density, steps, uContour);
  vec3 color = haze.rgb / max(haze.a, 1.0e-3);
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  vec3 background = mix(uGround, uEdge, min(1.0, length(vFrom)));
  gl_FragColor = vec4(mix(background, color, share) + (grain - 0.5) / 255.0, 1.0);
}
`

/**
 * Draws a disc in a slightly larger square. Values that are constant over a disc are computed here, because most of a
 * frame is spent on fragments. Distances are squared and in radii, which avoids square roots.
 */
export const discVertex = /* glsl */ `
${POINT}
uniform vec3 uGround;
uniform float uSheen;
flat varying vec3 vColor;
flat varying vec3 vSheen;
/** Steepness of the edge, 1 if the disc is hollow, 1 if it has a ring, half the width of the square in radii. */
flat varying vec4 vShape;
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  float depth = -seen.z;
  float radius = radiusAt(depth);
  float reach = isSelected() ? RING_OUTER + 0.13 : 1.0 + 0.75 / (radius * uPixelRatio);
  gl_Position = projectionMatrix * seen;
  gl_PointSize = 2.0 * radius * reach * uPixelRatio;
  // Selected in front of highlighted in front of dimmed points, each kind by its own depth. In a plane all depths are
  // equal, so the order of the vertices decides. Otherwise overlapping discs would flicker.
  float w = gl_Position.w;
  float order = uFlat * float(gl_VertexID) * 2.4e-7;
  gl_Position.z = isSelected() ? -0.9999 * w : 0.5 * gl_Position.z + (0.5 - aColor.a + order) * w;
  float highlight = isSelected() ? 1.0 : aColor.a;
  float fade = isSelected() ? 0.0 : fadeOf(depth) * 0.52;
  vec3 gray = mix(uGround, vec3(dot(aColor.rgb, vec3(0.3, 0.5, 0.2))), DIMMED_OPACITY);
  vColor = mix(mix(gray, aColor.rgb, highlight), uGround, fade);
  vSheen = (1.0 - fade) * highlight * uSheen * (vec3(1.0) - aColor.rgb);
  vShape = vec4(0.5 * radius * uPixelRatio, aLevel < 1.5 ? 1.0 : 0.0, isSelected() ? 1.0 : 0.0, reach);
}
`

/**
 * Discs are opaque and write depth, so that crowded areas are not overexposed. The depth is that of the whole square,
 * which lets the GPU skip covered fragments.
 */
export const discFragment = /* glsl */ `
uniform vec3 uGround;
uniform vec3 uInk;
flat varying vec3 vColor;
flat varying vec3 vSheen;
flat varying vec4 vShape;
float within(float d, float edge) { return clamp((edge - d) * vShape.x + 0.5, 0.0, 1.0); }
void main() {
  vec2 corner = (2.0 * gl_PointCoord - 1.0) * vShape.w;
  float d = dot(corner, corner);
  float alpha = within(d, 1.0);
  float middle = max(0.0, 1.0 - 1.2 * d);
  vec3 color = vColor + vSheen * middle * middle;
  if (vShape.y > 0.5) color = mix(color, uGround, 0.85 * (1.0 - within(d, 0.1156)) * within(d, 0.4356));
  if (vShape.z > 0.5) {
    float ring = (1.0 - within(d, RING_INNER * RING_INNER)) * within(d, RING_OUTER * RING_OUTER);
    color = mix(color, uInk, ring);
    alpha = max(alpha, ring);
  }
  if (alpha < 0.35) discard;
  gl_FragColor = vec4(color, alpha);
}
`

/** Draws a glow around each highlighted point. Glows are drawn before the discs and are visible on the ground only. */
export const glowVertex = /* glsl */ `
${POINT}
uniform float uReach;
uniform float uGlow;
uniform float uMaxSize;
flat varying vec4 vColor;
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  float depth = -seen.z;
  float reach = isSelected() ? GLOW_REACH : uReach;
  float light = isSelected() ? uGlow : uGlow * aColor.a * (1.0 - 0.75 * fadeOf(depth));
  gl_Position = projectionMatrix * seen;
  // Moves points without a glow outside the clip space.
  if (light < 0.01) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = min(2.0 * radiusAt(depth) * reach * uPixelRatio, uMaxSize);
  vColor = vec4(aColor.rgb, light);
}
`

export const glowFragment = /* glsl */ `
flat varying vec4 vColor;
void main() {
  vec2 corner = 2.0 * gl_PointCoord - 1.0;
  float t = max(0.0, 1.0 - dot(corner, corner));
  t *= t * t;
  gl_FragColor = vec4(vColor.rgb, vColor.a * t * t);
}
`

/** Adds the kernel of each highlighted point to the density at its place. The color is weighted with the density. */
export const hazeVertex = /* glsl */ `
attribute vec4 aColor;
uniform float uFocal;
uniform float uKernel;
uniform float uWeight;
flat varying vec4 vColor;
${FADE}
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  float weight = uWeight * aColor.a * (1.0 - 0.7 * fadeOf(-seen.z));
  gl_Position = projectionMatrix * seen;
  // Moves points without weight outside the clip space.
  if (weight <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = clamp(2.0 * uKernel * uFocal / -seen.z, 3.0, 128.0);
  vColor = vec4(aColor.rgb * weight, weight);
}
`

export const hazeFragment = /* glsl */ `
flat varying vec4 vColor;
void main() {
  vec2 corner = 2.0 * gl_PointCoord - 1.0;
  float t = max(0.0, 1.0 - dot(corner, corner));
  gl_FragColor = vColor * t * t;
}
`

export const edgeVertex = /* glsl */ `
attribute vec4 aColor;
varying vec4 vColor;
varying float vFade;
${FADE}
void main() {
  vec4 seen = viewMatrix * vec4(position, 1.0);
  vColor = aColor;
  vFade = fadeOf(-seen.z);
  gl_Position = projectionMatrix * seen;
}
`

export const edgeFragment = /* glsl */ `
uniform float uAlpha;
uniform vec3 uInk;
uniform float uInkShare;
varying vec4 vColor;
varying float vFade;
void main() {
  float alpha = uAlpha * mix(0.12, 1.0, vColor.a) * (1.0 - 0.7 * vFade);
  gl_FragColor = vec4(mix(vColor.rgb, uInk, uInkShare), alpha);
}
`
