#include "review_page.h"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char server_js[] = {
#embed "page/server.js"
};
static const unsigned char geometry_js[] = {
#embed "page/geometry.js"
};
static const unsigned char book_js[] = {
#embed "page/book.js"
};
static const unsigned char stage_js[] = {
#embed "page/stage.js"
};
static const unsigned char loupe_js[] = {
#embed "page/loupe.js"
};
static const unsigned char preview_js[] = {
#embed "page/preview.js"
};
static const unsigned char light_js[] = {
#embed "page/light.js"
};
static const unsigned char list_js[] = {
#embed "page/list.js"
};

#define SCRIPT "text/javascript; charset=utf-8"

static const struct flatbed_review_file files[] = {
    {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"/style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
    {"/icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"/main.js", SCRIPT, main_js, sizeof main_js},
    {"/server.js", SCRIPT, server_js, sizeof server_js},
    {"/geometry.js", SCRIPT, geometry_js, sizeof geometry_js},
    {"/book.js", SCRIPT, book_js, sizeof book_js},
    {"/stage.js", SCRIPT, stage_js, sizeof stage_js},
    {"/loupe.js", SCRIPT, loupe_js, sizeof loupe_js},
    {"/preview.js", SCRIPT, preview_js, sizeof preview_js},
    {"/light.js", SCRIPT, light_js, sizeof light_js},
    {"/list.js", SCRIPT, list_js, sizeof list_js},
};

const struct flatbed_review_file *flatbed_review_file_at(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
