"""The shading language side of a die: rounding, pattern, pips, emblems, and light through a clear one."""

from models.render.shaders import LIGHTING

DIE_VERTEX = """
#version 330
uniform mat4 M;
uniform mat4 pose;           // half edges to world mm
in vec3 local;
out vec3 lp;
out vec3 p;
void main() { lp = local; p = (pose * vec4(local, 1.0)).xyz; gl_Position = M * vec4(p, 1.0); }
"""

DIE_FRAGMENT = (
    LIGHTING
    + """
uniform mat4 pose;
uniform vec4 shape;          // corner, sphere, half an edge in mm, pixel in half edges
uniform vec3 base;
uniform vec3 second;
uniform vec3 speck;
uniform vec3 pattern_scale;
uniform vec4 pattern;        // low, high, mix, warp
uniform vec4 pattern2;       // speck scale, speck threshold, rings, seed
uniform vec4 finish;         // roughness, gloss, translucency, wear
uniform vec4 pip_finish;     // depth / radius, gloss, metal, symbol half size
uniform vec3 pip_colour[6];  // by side of the die
uniform vec4 pips[36];       // six a side: u, v, radius, inner radius
uniform vec2 marks[6];       // number of pips, symbol or -1
uniform vec4 disc;           // colour, radius
uniform vec4 tumbled;        // lip's slope, its width / radius, dome's slope, where the dome begins
uniform vec3 moulded;        // bevel, dish's slope, dark core
uniform vec2 flakes;         // how much and how finely pearl flakes tilt the shine
uniform sampler2D emblems;
uniform sampler2D colours;
uniform vec4 window;
uniform vec3 ambient;        // linear light that fills a clear die

in vec3 lp;
in vec3 p;
out vec4 pixel;

float hash(vec3 q) {
    q = fract(q * vec3(0.1031, 0.1030, 0.0973));
    q += dot(q, q.yxz + 33.33);
    return fract((q.x + q.y) * q.z);
}
float value(vec3 q) {
    vec3 i = floor(q), f = fract(q);
    f = f * f * (3.0 - 2.0 * f);
    vec2 e = vec2(0.0, 1.0);
    return mix(
        mix(mix(hash(i), hash(i + e.yxx), f.x), mix(hash(i + e.xyx), hash(i + e.yyx), f.x), f.y),
        mix(mix(hash(i + e.xxy), hash(i + e.yxy), f.x), mix(hash(i + e.xyy), hash(i + e.yyy), f.x), f.y),
        f.z);
}

vec3 body(vec3 q) {
    vec3 s = q * pattern_scale + pattern2.w;
    vec3 col = base;
    if (pattern.z > 0.0) {
        float w = value(s * 1.3 + 7.0);
        s += pattern.w * (w - 0.5);
        float n = 0.55 * value(s * 1.5) + 0.3 * value(s * 3.3 + 3.0) + 0.15 * value(s * 8.1 + 9.0);
        if (pattern2.z > 0.0) n = 0.5 + 0.5 * sin(length(s.xy - 0.7) * pattern2.z + 5.0 * n);
        col = mix(base, second, pattern.z * smoothstep(pattern.x, pattern.y, n));
    }
    if (pattern2.y > 0.0) {
        float k = value(q * pattern2.x + pattern2.w * 3.0) * 0.7 + 0.3 * value(q * pattern2.x * 2.3);
        col = mix(col, speck, smoothstep(-0.05, 0.03, k - (1.0 - pattern2.y * 0.8)));
    }
    return col;
}

vec3 rounded(vec3 q) {
    vec3 o = max(abs(q) - (1.0 - shape.x), 0.0);
    vec3 box = sign(q) * o / max(length(o), 1e-5);
    float ds = length(q) - shape.y, db = length(o) - shape.x;
    return normalize(mix(box, normalize(q), clamp(0.5 + (ds - db) / moulded.x, 0.0, 1.0)));
}

int side_of(vec3 q) {
    vec3 a = abs(q);
    if (a.x > a.y && a.x > a.z) return q.x > 0.0 ? 0 : 1;
    if (a.y > a.z) return q.y > 0.0 ? 2 : 3;
    return q.z > 0.0 ? 4 : 5;
}
vec3 to_face(vec3 q, int s) {
    if (s == 0) return q.yzx;
    if (s == 1) return vec3(q.z, q.y, -q.x);
    if (s == 2) return q.zxy;
    if (s == 3) return vec3(q.x, q.z, -q.y);
    if (s == 4) return q.xyz;
    return vec3(q.y, q.x, -q.z);
}
vec3 from_face(vec3 q, int s) {
    if (s == 0) return q.zxy;
    if (s == 1) return vec3(-q.z, q.y, q.x);
    if (s == 2) return q.yzx;
    if (s == 3) return vec3(q.x, -q.z, q.y);
    if (s == 4) return q.xyz;
    return vec3(q.y, q.x, -q.z);
}

// share of the point that is painted as pip or emblem
float marked(vec2 uv, int s, float soft, out vec4 nearest) {
    float cover = 0.0;
    nearest = vec4(9.0);
    float gap = 9.0;
    int count = int(marks[s].x);
    for (int i = 0; i < count; ++i) {
        vec4 k = pips[s * 6 + i];
        float d = length(uv - k.xy);
        float c = smoothstep(-soft, soft, k.z - d) * smoothstep(-soft, soft, d - k.w + (k.w > 0.0 ? 0.0 : 9.0));
        cover = max(cover, c);
        if (d - k.z < gap) { gap = d - k.z; nearest = k; }
    }
    if (marks[s].y >= 0.0) {
        vec2 e = uv / pip_finish.w * 0.5 + 0.5;
        vec2 cell = vec2(mod(marks[s].y, 8.0), floor(marks[s].y / 8.0));
        if (e.x > 0.0 && e.x < 1.0 && e.y > 0.0 && e.y < 1.0)
            cover = max(cover, texture(emblems, (cell + vec2(e.x, 1.0 - e.y)) / vec2(8.0, 4.0)).r);
    }
    return cover;
}

// how the level part of a side leans where it was tumbled: down to its pips, down to its edge, down into its disc
vec2 leaning(vec2 uv, int s) {
    vec2 lean = vec2(0.0);
    float r = length(uv);
    vec2 away = uv / max(r, 1e-4);
    lean += away * (tumbled.z * smoothstep(tumbled.w, 1.0, r));
    if (disc.w > 0.0) {
        float band = (disc.w - r) / 0.09;
        lean -= away * (moulded.y * exp(-band * band));
    }
    if (tumbled.x > 0.0) {
        int count = int(marks[s].x);
        for (int i = 0; i < count; ++i) {
            vec4 k = pips[s * 6 + i];
            vec2 to = k.xy - uv;
            float d = length(to), t = clamp((d - k.z) / (k.z * tumbled.y), 0.0, 1.0);
            lean += to / max(d, 1e-4) * (tumbled.x * (1.0 - t) * (1.0 - t) * step(k.z * 0.9, d));
        }
    }
    return lean;
}

void main() {
    mat3 turn = mat3(pose) / shape.z;
    vec3 view = transpose(turn) * normalize(p - eye);
    int s = side_of(lp);
    vec3 f = to_face(lp, s), vf = to_face(view, s);
    vec3 nl = rounded(lp);
    vec4 k;
    float soft = max(shape.w, 0.008);
    float cover = marked(f.xy, s, soft, k);
    vec3 albedo = body(lp);
    if (disc.w > 0.0) {
        float d = length(f.xy);
        albedo = mix(albedo, disc.xyz, smoothstep(-soft, soft, disc.w - d) * step(0.9, f.z));
    }
    vec3 ink = pip_colour[s];
    float rough = finish.x, f0 = 0.04 * finish.y, metal = 0.0, hollow = 1.0;
    if (finish.w > 0.0) {
        float rub = value(lp * 3.1 + pattern2.w) * 0.5 + 0.6 * value(lp * 9.0);
        float gone = smoothstep(0.9 - finish.w, 1.15 - finish.w, rub);
        ink = mix(ink, albedo * (pip_finish.x > 0.0 ? 0.75 : 1.0), gone * 0.8);
    }
    vec2 lean = leaning(f.xy, s);
    vec3 n = normalize(nl + from_face(vec3(lean, 0.0), s));
    if (pip_finish.x > 0.0 && marks[s].y < 0.0 && k.w == 0.0 && cover > 0.0) {
        float r = k.z, depth = r * pip_finish.x;
        float big = (r * r + depth * depth) / (2.0 * depth), up = big - depth;
        vec3 o = vec3(f.xy - k.xy, 0.0) - vec3(0.0, 0.0, up);
        float b = dot(o, vf), c = dot(o, o) - big * big;
        vec3 hit = o + vf * (-b + sqrt(max(b * b - c, 0.0)));
        vec3 bowl = from_face(-hit / big, s);
        n = normalize(mix(n, bowl, cover));
        vec3 q = hit + vec3(0.0, 0.0, up);
        float down = clamp(-q.z / depth, 0.0, 1.0);
        hollow = mix(1.0, 1.0 - 0.45 * down * min(pip_finish.x * 1.4, 1.0), cover);
        vec3 lf = to_face(transpose(turn) * normalize(KP[0] - p), s);
        vec2 lip = q.xy + lf.xy * (-q.z / max(lf.z, 0.08));
        hollow *= mix(1.0, 1.0 - 0.5 * smoothstep(r * 0.85, r * 1.1, length(lip)), cover);
    }
    albedo = mix(albedo, ink, cover) * hollow;
    rough = mix(rough, clamp(1.0 - 0.6 * pip_finish.y, 0.15, 0.9), cover);
    f0 = mix(f0, 0.04 * pip_finish.y, cover);
    metal = pip_finish.z * cover;
    vec3 world = normalize(turn * n), geo = normalize(turn * nl);
    float clear = finish.z * (1.0 - cover);
    if (flakes.x > 0.0) {
        vec3 k = lp * flakes.y + pattern2.w + 2.0 * value(lp * flakes.y * 0.7);
        vec3 tip = vec3(value(k), value(k + 17.3), value(k + 31.7)) - 0.5;
        tip += 0.25 * (vec3(value(k * 6.0), value(k * 6.0 + 9.1), value(k * 6.0 + 4.7)) - 0.5);
        world = normalize(world + turn * tip * (flakes.x * (1.0 - cover)));
        f0 = mix(f0, f0 + 0.08 * flakes.x, 1.0 - cover);
    }
    vec3 lit_now = shade(p, world, geo, albedo * (1.0 - 0.9 * clear), rough, f0, metal, 0.35);
#ifdef CLEAR
    vec3 d = refract(view, nl, 1.0 / 1.45);
    vec3 gaps = (sign(d) * 0.98 - lp) / (d + sign(d) * 1e-4);
    float t = max(min(min(gaps.x, gaps.y), gaps.z), 0.0);
    vec3 e = lp + d * t;
    int es = side_of(e);
    vec4 unused;
    float back = marked(to_face(e, es).xy, es, soft * 2.0, unused);
    vec3 tone = pow(max(base, vec3(0.02)), vec3(0.2 + 0.4 * t));
    vec3 foot = (pose * vec4(e, 1.0)).xyz;
    vec3 under = linear(texture(colours, (foot.xy + (turn * d).xy * 2.0 - window.xy) * window.zw).rgb);
    float down = (turn * from_face(vec3(0.0, 0.0, 1.0), es)).z;
    vec3 off = abs(e) * vec3(float(es > 1), float(es < 2 || es > 3), float(es < 4));
    float rim = smoothstep(0.75, 1.0, max(max(off.x, off.y), off.z));
    float deep = moulded.z * (1.0 - rim) * smoothstep(0.3, 1.5, t);
    vec3 through = mix(under * (0.45 + 0.4 * rim), vec3(0.8) * base, down < -0.6 ? 0.1 : 0.55);
    through = mix(through, pip_colour[es] * (down < -0.6 ? 0.8 : 0.6), back * 0.9);
    through *= 1.0 - deep * (1.0 - 0.6 * back);
    vec3 glow = body(e) * (0.05 + 0.3 * (1.0 - finish.z));
    lit_now += clear * (through * tone + glow) * ambient;
#endif
    pixel = vec4(lit_now, 1.0);
}
"""
)
