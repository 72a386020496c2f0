#include "kernel_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace usmtensor {
namespace {

// The start of a file; key and binary follow.
struct FileHeader {
  char magic[4];
  std::uint32_t version;
  std::uint64_t key_size, binary_size, checksum;
};
constexpr char magic[4] = {'U', 'S', 'M', 'B'};
constexpr std::uint32_t version = 1;
constexpr off_t largest_file = 256 << 20;
constexpr std::string_view suffix = ".kernel", temporary = ".tmp";
constexpr std::size_t stem = 16 + 1 + 16; // device and kernel in hexadecimal digits

// Times within this count as equal, which saves a write per hit.
constexpr time_t touch_after = 600;
// Temporary files of this age are left over.
constexpr time_t abandoned_after = 3600;

class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  bool close() {
    const bool good = descriptor_ < 0 || ::close(descriptor_) == 0;
    descriptor_ = -1;
    return good;
  }

private:
  int descriptor_;
};

const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

struct Settings {
  bool on = true;
  std::string folder;
  std::uint64_t limit;
};

const Settings &settings() {
  static const Settings &settings = *new Settings([] {
    Settings found;
    const char *on = variable("USMTENSOR_CACHE");
    found.on = !on || std::strcmp(on, "0") != 0;
    const char *folder = variable("USMTENSOR_CACHE_DIR"), *base = variable("XDG_CACHE_HOME"),
               *home = variable("HOME");
    if (folder)
      found.folder = folder;
    else if (base && *base == '/') // the XDG specification: a relative path is ignored
      found.folder = std::string(base) + "/usmtensor";
    else if (home && *home == '/')
      found.folder = std::string(home) + "/.cache/usmtensor";
    // A relative path names one folder, even if the process changes its directory later.
    std::error_code none;
    found.folder = std::filesystem::absolute(found.folder, none);
    constexpr double megabyte = 1 << 20, usual = 256;
    const char *size = variable("USMTENSOR_CACHE_SIZE");
    char *end = nullptr;
    double limit = size ? std::strtod(size, &end) : usual;
    if (size && (*end || !(limit >= 0 && limit <= 1e9)))
      limit = usual;
    found.limit = static_cast<std::uint64_t>(limit * megabyte);
    return found;
  }());
  return settings;
}

// Whether only this user (and root) can have written it.
bool is_private(const struct stat &status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void make_folders(const std::string &path) {
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
    ::mkdir(path.substr(0, at).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
}

// The folder, or the reason against it. Opened anew each time, because it may be replaced, and a
// daemon may close unknown descriptors. Files are opened relative to the checked descriptor, so an
// attacker gains nothing by replacing a folder above it.
int open_folder(bool make, std::string *problem = nullptr) {
  const Settings &set = settings();
  auto refuse = [&](std::string reason) {
    if (problem)
      *problem = std::move(reason);
    return -1;
  };
  if (!set.on)
    return refuse("USMTENSOR_CACHE=0");
  if (set.folder.empty())
    return refuse("neither USMTENSOR_CACHE_DIR, XDG_CACHE_HOME nor HOME names a folder");
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  int descriptor = ::open(set.folder.c_str(), flags);
  if (descriptor < 0 && errno == ENOENT && make) {
    make_folders(set.folder);
    descriptor = ::open(set.folder.c_str(), flags);
  }
  if (descriptor < 0)
    return errno == ENOENT ? -1 : refuse(std::strerror(errno));
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !is_private(status)) {
    ::close(descriptor);
    return refuse("another user owns it or can write to it");
  }
  return descriptor;
}

std::string file_name(const CacheKey &key) {
  char text[stem + 1];
  std::snprintf(text, sizeof text, "%016llx-%016llx",
                static_cast<unsigned long long>(fnv(key.device)),
                static_cast<unsigned long long>(fnv(key.kernel)));
  return std::string(text) + std::string(suffix);
}

std::string joined(const CacheKey &key) { return key.device + '\0' + key.kernel; }

std::uint64_t checksum(std::string_view key, const std::vector<unsigned char> &binary) {
  return fnv({reinterpret_cast<const char *>(binary.data()), binary.size()}, fnv(key));
}

// Repeats a call such as read or write until `count` bytes are done.
template <class Call> bool transfer_all(Call call, int file, char *at, std::size_t count) {
  while (count > 0) {
    const ssize_t done = call(file, at, count);
    if (done > 0) {
      at += done;
      count -= done;
    } else if (done == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool read_all(int file, void *to, std::size_t count) {
  return transfer_all(::read, file, static_cast<char *>(to), count);
}

bool write_all(int file, const void *from, std::size_t count) {
  return transfer_all(::write, file, static_cast<char *>(const_cast<void *>(from)), count);
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// Whether a name is one of this library: the folder may hold other files of its owner.
bool is_ours(std::string_view name) {
  return name.size() > stem && name[16] == '-' &&
         name.substr(0, stem).find_first_not_of("0123456789abcdef-") == name.npos &&
         name.substr(stem, suffix.size()) == suffix &&
         (name.size() == stem + suffix.size() || ends_with(name, temporary));
}

struct Entry {
  std::string name;
  std::uint64_t size;
  std::pair<time_t, long> used; // seconds, nanoseconds
};

// Calls with the name of every file of this library, until the call returns false.
void list_files(int folder, const std::function<bool(const char *)> &call) {
  // A descriptor of its own: fdopendir takes it, and its position is shared between duplicates.
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? nullptr : ::fdopendir(own);
  if (!stream) {
    if (own >= 0)
      ::close(own);
    return;
  }
  while (const dirent *entry = ::readdir(stream))
    if (is_ours(entry->d_name) && !call(entry->d_name))
      break;
  ::closedir(stream);
}

std::vector<Entry> entries(int folder) {
  std::vector<Entry> found;
  list_files(folder, [&](const char *name) {
    struct stat status;
    if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      return true;
    if (!ends_with(name, temporary))
      found.push_back({name,
                       static_cast<std::uint64_t>(status.st_size),
                       {status.st_mtim.tv_sec, status.st_mtim.tv_nsec}});
    else if (std::time(nullptr) - status.st_mtim.tv_sec > abandoned_after)
      ::unlinkat(folder, name, 0);
    return true;
  });
  return found;
}

std::uint64_t total(const std::vector<Entry> &files) {
  return std::accumulate(files.begin(), files.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const Entry &file) { return sum + file.size; });
}

// Keeps the folder within the limit. Lists all files rarely: there may be many thousands.
void bound_size(int folder, std::uint64_t added) {
  static std::mutex &mutex = *new std::mutex;
  static std::uint64_t known = 0;
  static unsigned calls = 0;
  std::lock_guard<std::mutex> lock(mutex);
  const std::uint64_t limit = settings().limit;
  known += added;
  constexpr unsigned look_every = 64; // because other processes add files too
  if (calls++ % look_every != 0 && known <= limit)
    return;
  std::vector<Entry> files = entries(folder);
  known = total(files);
  if (known <= limit)
    return;
  std::sort(files.begin(), files.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  const std::uint64_t enough = limit - limit / 8; // leaves room for the next files
  for (const Entry &file : files) {
    if (known <= enough)
      break;
    if (::unlinkat(folder, file.name.c_str(), 0) == 0 || errno == ENOENT)
      known -= file.size;
  }
}

} // namespace

CacheOutcome find_binary(const CacheKey &key, std::vector<unsigned char> &binary) {
  const File folder(open_folder(false));
  if (!folder)
    return CacheOutcome::miss;
  // Not blocking: the name may belong to a pipe or device.
  const File file(::openat(folder.get(), file_name(key).c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file)
    return errno == ENOENT ? CacheOutcome::miss : CacheOutcome::bad;
  struct stat status;
  FileHeader header;
  const std::string text = joined(key);
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_private(status) ||
      status.st_size > largest_file || !read_all(file.get(), &header, sizeof header) ||
      std::memcmp(header.magic, magic, sizeof magic) != 0 || header.version != version ||
      header.key_size != text.size() ||
      header.binary_size != status.st_size - sizeof header - text.size())
    return CacheOutcome::bad;
  std::string found(text.size(), '\0');
  if (!read_all(file.get(), found.data(), found.size()) || found != text)
    return CacheOutcome::bad;
  binary.resize(header.binary_size);
  if (!read_all(file.get(), binary.data(), binary.size()) ||
      checksum(text, binary) != header.checksum)
    return CacheOutcome::bad;
  if (std::time(nullptr) - status.st_mtim.tv_sec > touch_after)
    ::futimens(file.get(), nullptr); // the time of use; a read-only folder keeps its own
  return CacheOutcome::hit;
}

void keep_binary(const CacheKey &key, const std::vector<unsigned char> &binary) {
  static unsigned count = 0;
  const std::string text = joined(key);
  const std::uint64_t size = sizeof(FileHeader) + text.size() + binary.size();
  if (size > settings().limit || size > static_cast<std::uint64_t>(largest_file))
    return;
  const File folder(open_folder(true));
  if (!folder)
    return;
  FileHeader header = {{}, version, text.size(), binary.size(), checksum(text, binary)};
  std::memcpy(header.magic, magic, sizeof magic);
  const std::string name = file_name(key);
  // First under a temporary name, so that no process sees a part of a file.
  const std::string draft = name + "." + std::to_string(::getpid()) + "." +
                            std::to_string(__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED)) +
                            std::string(temporary);
  File file(::openat(folder.get(), draft.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return;
  const bool written = write_all(file.get(), &header, sizeof header) &&
                       write_all(file.get(), text.data(), text.size()) &&
                       write_all(file.get(), binary.data(), binary.size());
  if (!file.close() || !written ||
      ::renameat(folder.get(), draft.c_str(), folder.get(), name.c_str()) != 0)
    ::unlinkat(folder.get(), draft.c_str(), 0);
  else
    bound_size(folder.get(), size);
}

bool has_binaries(const std::string &device) {
  const File folder(open_folder(false));
  if (!folder)
    return false;
  const std::string start = file_name({device, {}}).substr(0, 17);
  bool found = false;
  list_files(folder.get(), [&](const char *name) {
    found = start.compare(0, start.size(), name, start.size()) == 0 && !ends_with(name, temporary);
    return !found;
  });
  return found;
}

CacheInfo cache_info() {
  CacheInfo info;
  info.folder = settings().folder;
  info.limit = settings().limit;
  const File folder(open_folder(false, &info.problem));
  if (folder) {
    const std::vector<Entry> files = entries(folder.get());
    info.files = files.size();
    info.bytes = total(files);
  }
  return info;
}

std::size_t clear_cache() {
  std::size_t deleted = 0;
  const File folder(open_folder(false));
  if (folder)
    list_files(folder.get(), [&](const char *name) {
      if (::unlinkat(folder.get(), name, 0) == 0 && !ends_with(name, temporary))
        ++deleted;
      return true;
    });
  return deleted;
}

} // namespace usmtensor
