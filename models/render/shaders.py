"""The shading language side: one lighting model, used by dice, ground and solids.

Light comes from `NK` points on lamps and `ND` directions of the sky, each with its own shadow map, all in one
depth atlas. Positions are world millimetres; colours are linear.
"""

NK = 8
ND = 12
ATLAS = (2048, 1536)

SHADOW_VERTEX = """
#version 330
uniform mat4 M;
in vec3 at;
void main() { gl_Position = M * vec4(at, 1.0); }
"""

SHADOW_FRAGMENT = """
#version 330
void main() {}
"""

LIGHTING = (
    f"""
#version 330
#define NK {NK}
#define ND {ND}
"""
    + """uniform mat4 KM[NK];
uniform vec3 KP[NK];
uniform vec3 KC[NK];
uniform mat4 DM[ND];
uniform vec3 DD[ND];
uniform vec3 DC[ND];
uniform sampler2DShadow atlas;
uniform sampler2D cookie;
uniform vec4 cookie_at;      // x, y, 1/size, darkness
uniform vec3 eye;
uniform vec3 bounce;         // linear colour of the floor, for light from below
uniform vec4 windows[4];     // direction of a bright patch in the room, cos of its radius
uniform vec3 window_colour[4];
uniform float window_count;
uniform vec4 window_side[4]; // its own right; tangent of half its width, 0 for a disc
uniform vec3 window_form[4]; // height / width, dark share of a ring, bars
uniform vec3 zenith;
uniform vec3 horizon;

float lit(mat4 m, vec3 p) { return textureProj(atlas, m * vec4(p, 1.0)); }

vec3 linear(vec3 c) { return c * (c * (c * 0.305306 + 0.682171) + 0.012523); }

vec3 room(vec3 d, float rough) {
    vec3 c = mix(horizon, zenith, clamp(d.z, 0.0, 1.0));
    for (int i = 0; i < int(window_count); ++i) {
        float w = 0.01 + 0.25 * rough;
        float near = dot(d, windows[i].xyz);
        float k = smoothstep(windows[i].w - w, windows[i].w + w * 0.5, near);
        if (window_side[i].w > 0.0) {
            vec3 u = window_side[i].xyz;
            vec2 t = vec2(dot(d, u), dot(d, cross(windows[i].xyz, u)) / window_form[i].x);
            t /= max(near, 0.02) * window_side[i].w;
            float m = window_form[i].y > 0.0 ? length(t) : max(abs(t.x), abs(t.y));
            float s = (0.02 + 0.3 * rough) / window_side[i].w;
            k = (1.0 - smoothstep(1.0 - s, 1.0 + s, m)) * step(0.0, near);
            if (window_form[i].y > 0.0) k *= smoothstep(window_form[i].y - s, window_form[i].y + s, m);
            if (window_form[i].z > 0.0) {
                vec2 bar = abs(fract((t * 0.5 + 0.5) * window_form[i].z) - 0.5);
                k *= 1.0 - smoothstep(0.40, 0.46, max(bar.x, bar.y));
            }
        }
        c += window_colour[i] * k / (1.0 + 6.0 * rough);
    }
    return mix(bounce, c, smoothstep(-0.1, 0.15, d.z));
}

// share of the lamps' light that passes what stands between
float passed(vec3 p) {
    vec3 l = normalize(KP[0] - p);
    vec2 foot = p.xy - l.xy * (p.z / max(l.z, 0.1));
    return 1.0 - cookie_at.w * (1.0 - texture(cookie, (foot - cookie_at.xy) * cookie_at.z).r);
}

// linear light leaving p towards the eye
vec3 shade(vec3 p, vec3 n, vec3 geo, vec3 albedo, float rough, float f0, float metal, float bias) {
    vec3 v = normalize(eye - p);
    float nv = max(dot(n, v), 0.02);
    float a2 = max(rough * rough * rough * rough, 0.0004);
    vec3 diffuse = vec3(0.0), mirror = vec3(0.0);
    vec3 q = p + geo * bias;
    for (int i = 0; i < NK; ++i) {
        vec3 l = normalize(KP[i] - p);
        float nl = dot(n, l);
        float s = lit(KM[i], q) * clamp(dot(geo, l) * 5.0, 0.0, 1.0);
        vec3 e = KC[i] * (s * max(nl, 0.0));
        diffuse += e;
        vec3 h = normalize(l + v);
        float nh = max(dot(n, h), 0.0);
        float d = nh * nh * (a2 - 1.0) + 1.0;
        mirror += e * (a2 / (d * d * (4.0 * max(nl, nv) * nv + 0.15)));
    }
    float pass = passed(p);
    diffuse *= pass;
    mirror = mirror * pass;
    mirror /= 1.0 + mirror / 16.0;
    float open = 0.0, total = 0.0;
    for (int i = 0; i < ND; ++i) {
        float nl = max(dot(n, DD[i]) * 0.9 + 0.1, 0.0);
        float s = lit(DM[i], q);
        diffuse += DC[i] * (s * nl);
        open += s * nl;
        total += nl;
    }
    open = open / max(total, 1e-3);
    diffuse += bounce * (0.5 - 0.5 * n.z) * (0.35 + 0.65 * open);
    float fresnel = f0 + (1.0 - f0) * pow(1.0 - nv, 5.0) * (1.0 - rough);
    vec3 tint = mix(vec3(fresnel), albedo, metal);
    vec3 r = reflect(-v, n);
    return albedo * diffuse * (1.0 - 0.85 * metal) + tint * (mirror + room(r, rough) * (0.25 + 0.75 * open));
}
"""
)

GROUND_VERTEX = """
#version 330
uniform mat4 M;
in vec3 at;
in vec3 normal;
in vec2 paint;
in float wall;
out vec3 p;
out vec3 geo;
out vec2 spot;
out float upright;
void main() { gl_Position = M * vec4(at, 1.0); p = at; geo = normal; spot = paint; upright = wall; }
"""

FLOODED_FRAGMENT = (
    LIGHTING
    + """
// light that falls on the ground, drawn coarsely: rgb and the share that comes straight from lamps
in vec3 p;
in vec3 geo;
in vec2 spot;
in float upright;
out vec4 pixel;
void main() {
    vec3 g = normalize(geo);
    vec3 direct = vec3(0.0), around = vec3(0.0);
    vec3 q = p + g * 0.5;
    for (int i = 0; i < NK; ++i) {
        float nl = dot(g, normalize(KP[i] - p));
        direct += KC[i] * (lit(KM[i], q) * max(nl, 0.0));
    }
    direct *= passed(p);
    float open = 0.0, total = 0.0;
    for (int i = 0; i < ND; ++i) {
        float nl = max(dot(g, DD[i]) * 0.9 + 0.1, 0.0);
        float s = lit(DM[i], q);
        around += DC[i] * (s * nl);
        open += s * nl;
        total += nl;
    }
    around += bounce * (0.5 - 0.5 * g.z) * (0.35 + 0.65 * open / max(total, 1e-3));
    float all = dot(direct + around, vec3(1.0));
    pixel = vec4(direct + around, dot(direct, vec3(1.0)) / max(all, 1e-4));
}
"""
)

GROUND_FRAGMENT = (
    LIGHTING
    + """
uniform sampler2D colours;   // sRGB and gloss over the level window
uniform sampler2D slopes;    // slope x, y (0.5 is level, 1 is `steep`)
uniform sampler2D flooded;   // what FLOODED_FRAGMENT drew
uniform vec2 screen;         // size of the picture in px
uniform vec4 window;         // x, y (mm) of its corner, 1/width, 1/height (mm)
uniform float steep;
in vec3 p;
in vec3 geo;
in vec2 spot;
in float upright;
out vec4 pixel;
void main() {
    vec2 uv = (spot - window.xy) * window.zw;
    vec4 c = texture(colours, uv);
    vec2 s = (texture(slopes, uv).rg - 0.5) * 2.0 * steep;
    vec3 g = normalize(geo);
    vec3 n = normalize(g + vec3(-s, 0.0) * (1.0 - upright));
    vec4 e = texture(flooded, gl_FragCoord.xy / screen);
    vec3 l = normalize(KP[0] - p), v = normalize(eye - p);
    float tilted = clamp(dot(n, l) / max(dot(g, l), 0.12), 0.0, 2.5);
    vec3 light = e.rgb * mix(1.0, tilted, e.a);
    float rough = mix(0.85, 0.15, c.a);
    float nv = max(dot(n, v), 0.02);
    float a2 = max(rough * rough * rough * rough, 0.002);
    float nh = max(dot(n, normalize(l + v)), 0.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float fresnel = (0.04 + 0.96 * pow(1.0 - nv, 5.0)) * c.a;
    vec3 mirror = e.rgb * e.a * min(a2 / (d * d * 4.0 * nv + 0.1), 20.0) + room(reflect(-v, n), rough);
    pixel = vec4(linear(c.rgb) * light + fresnel * mirror, 1.0);
}
"""
)

SOLID_VERTEX = """
#version 330
uniform mat4 M;
in vec3 at;
in vec3 normal;
in vec3 colour;
in vec2 finish;
out vec3 p;
out vec3 geo;
out vec3 paint;
out vec2 stuff;
void main() { gl_Position = M * vec4(at, 1.0); p = at; geo = normal; paint = colour; stuff = finish; }
"""

SOLID_FRAGMENT = (
    LIGHTING
    + """
in vec3 p;
in vec3 geo;
in vec3 paint;
in vec2 stuff;
out vec4 pixel;
void main() {
    vec3 g = normalize(geo);
    if (dot(g, eye - p) < 0.0) g = -g;
    float rough = 1.0 - abs(stuff.x);
    pixel = vec4(shade(p, g, g, paint, rough, 0.04, stuff.y, 2.4), 1.0);
}
"""
)

ID_VERTEX = """
#version 330
uniform mat4 M;
in vec3 at;
in float id;
flat out float tag;
void main() { gl_Position = M * vec4(at, 1.0); tag = id; }
"""

ID_FRAGMENT = """
#version 330
flat in float tag;
out float pixel;
void main() { pixel = tag; }
"""
